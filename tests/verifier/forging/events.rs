//! Forges events: effects, who acts and who is to act, leaving, the end, and whole events.

use serde_json::{Value, json};

use super::Forger;

impl Forger {
    pub(super) fn drop_effect(&mut self) -> Option<String> {
        let (line, index) = self.event_with_list("effects", 1)?;
        let effect = self.list(line, "effects").remove(index);
        Some(format!("{} in event {}", effect["type"], line - 1))
    }

    pub(super) fn double_effect(&mut self) -> Option<String> {
        let (line, index) = self.event_with_list("effects", 1)?;
        let effects = self.list(line, "effects");
        effects.insert(index, effects[index].clone());
        Some(format!("effect {index} in event {}", line - 1))
    }

    pub(super) fn exchange_effects(&mut self) -> Option<String> {
        let (line, index) = self.event_with_list("effects", 2)?;
        let effects = self.list(line, "effects");
        let other = (index + 1) % effects.len();
        effects.swap(index, other);
        Some(format!("{index} and {other} in event {}", line - 1))
    }

    pub(super) fn borrow_effect(&mut self) -> Option<String> {
        let (from, index) = self.event_with_list("effects", 1)?;
        let effect = self.list(from, "effects")[index].clone();
        let to = self.any_event();
        let told = format!("{effect} in event {}", to - 1);
        let length = self.list(to, "effects").len();
        let at = self.sampler.below(length + 1);
        if at < length && self.sampler.below(2) == 0 {
            self.list(to, "effects")[at] = effect;
        } else {
            self.list(to, "effects").insert(at, effect);
        }
        Some(told)
    }

    pub(super) fn alter_to_act(&mut self) -> Option<String> {
        let line = self.any_event();
        let seat = self.sampler.below(self.seats() + 1);
        self.lines[line]["to_act"] = json!(seat);
        Some(format!("{seat} after event {}", line - 1))
    }

    pub(super) fn toggle_to_act(&mut self) -> Option<String> {
        let line = self.any_event();
        let over = self.lines[line]["to_act"].is_null();
        self.lines[line]["to_act"] = if over { json!(0) } else { Value::Null };
        Some(format!("after event {}", line - 1))
    }

    pub(super) fn alter_seat(&mut self) -> Option<String> {
        let line = self.any_event();
        let seat = self.sampler.below(self.seats() + 1);
        self.lines[line]["seat"] = json!(seat);
        Some(format!("{seat} in event {}", line - 1))
    }

    pub(super) fn null_seat(&mut self) -> Option<String> {
        let line = self.event_with(|event| !event["seat"].is_null())?;
        self.lines[line]["seat"] = Value::Null;
        Some(format!("in event {}", line - 1))
    }

    pub(super) fn borrow_action(&mut self) -> Option<String> {
        let (from, to) = (self.any_event(), self.any_event());
        self.lines[to]["action"] = self.lines[from]["action"].clone();
        Some(format!("that of event {} in event {}", from - 1, to - 1))
    }

    pub(super) fn leave(&mut self) -> Option<String> {
        let line = self.any_event();
        let seat = self.sampler.below(self.seats());
        if self.sampler.below(2) == 0 {
            self.lines[line]["action"] = json!({"type": "resign"});
            self.lines[line]["seat"] = json!(seat);
        } else {
            self.lines[line]["action"] = json!({"type": "timeout", "seat": seat});
            self.lines[line]["seat"] = Value::Null;
        }
        if self.sampler.below(2) == 0 {
            self.lines[line]["effects"] = json!([{"type": "left", "seat": seat}]);
        }
        Some(format!("seat {seat} in event {}", line - 1))
    }

    pub(super) fn abort(&mut self) -> Option<String> {
        let line = self.any_event();
        let seat = self.sampler.below(self.seats());
        let finished = json!({"type": "finished", "reason": "abort", "places": null, "scores": null});
        let event = &mut self.lines[line];
        (event["action"], event["seat"]) = (json!({"type": "abort"}), json!(seat));
        (event["effects"], event["to_act"]) = (json!([finished]), Value::Null);
        if self.sampler.below(2) == 0 {
            self.lines.truncate(line + 1);
        }
        Some(format!("seat {seat} in event {}", line - 1))
    }

    pub(super) fn finish(&mut self) -> Option<String> {
        let line = self.any_event();
        let (seats, scores) =
            (self.seats(), if self.sampler.below(2) == 0 { json!(null) } else { json!([0, 0]) });
        let places: Vec<usize> = (1..=seats).collect();
        let finished = json!({"type": "finished", "reason": "play", "places": places, "scores": scores});
        self.list(line, "effects").push(finished);
        self.lines[line]["to_act"] = Value::Null;
        Some(format!("in event {}", line - 1))
    }

    pub(super) fn forget_end(&mut self) -> Option<String> {
        let line = self.events();
        self.list(line, "effects").pop_if(|effect| effect["type"] == "finished")?;
        if self.sampler.below(2) == 0 {
            self.lines[line]["to_act"] = json!(0);
        }
        Some(format!("in event {}", line - 1))
    }

    pub(super) fn alter_order(&mut self) -> Option<String> {
        let seats = self.seats();
        let order = self.list(1, "effects").first_mut()?.get_mut("order")?.as_array_mut()?;
        match seats % 3 {
            0 => order[0] = order[1].clone(),
            _ => order.rotate_left(1),
        }
        if self.sampler.below(2) == 0 {
            self.list(1, "seeds").clear();
        }
        Some("in event 0".to_owned())
    }

    pub(super) fn drop_event(&mut self) -> Option<String> {
        let line = self.any_event();
        self.lines.remove(line);
        self.count_again();
        Some(format!("event {}", line - 1))
    }

    pub(super) fn double_event(&mut self) -> Option<String> {
        let line = self.any_event();
        self.lines.insert(line, self.lines[line].clone());
        self.count_again();
        Some(format!("event {}", line - 1))
    }

    pub(super) fn exchange_events(&mut self) -> Option<String> {
        let (line, other) = (self.any_event(), self.any_event());
        self.lines.swap(line, other);
        self.count_again();
        Some(format!("events {} and {}", line - 1, other - 1))
    }

    pub(super) fn go_on(&mut self) -> Option<String> {
        let (line, last) = (self.any_event(), self.events());
        self.lines.insert(last + 1, self.lines[line].clone());
        self.count_again();
        Some(format!("event {} again at the end", line - 1))
    }

    pub(super) fn count_again(&mut self) {
        for line in 1..=self.events() {
            self.lines[line]["seq"] = json!(line - 1);
        }
    }

    pub(super) fn alter_seq(&mut self) -> Option<String> {
        let line = self.any_event();
        self.lines[line]["seq"] = json!(line);
        Some(format!("of event {}", line - 1))
    }

    pub(super) fn go_back(&mut self) -> Option<String> {
        let line = self.any_event();
        self.lines[line]["at"] = json!("2001-02-03T04:05:06.789012Z");
        Some(format!("of event {}", line - 1))
    }
}
