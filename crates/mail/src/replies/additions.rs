//! Recognises lines and paragraphs that programs, devices and companies add to mails.

use super::marks::is_quoted;
use super::our_mail::is_drawn;
use pippost_games::letters::steps;

/// Programs and devices that add a line below a mail.
const PROGRAMS: [&str; 24] = [
    "iphon",
    "ipad",
    "icloud",
    "android",
    "samsung",
    "galaxy",
    "huawei",
    "xiaomi",
    "blackberry",
    "outlook",
    "gmail",
    "yahoo",
    "proton mail",
    "protonmail",
    "thunderbird",
    "k-9",
    "fairemail",
    "mail.ru",
    "gmx",
    "web.de",
    "windows mail",
    "mail for windows",
    "mailspring",
    "airmail",
];

/// Beginnings of such lines.
const SENT_FROM: [&str; 34] = [
    "sent from ",
    "sent with ",
    "sent via ",
    "sent using ",
    "sent by ",
    "get outlook for ",
    "get bluemail for ",
    "von meinem ",
    "von outlook ",
    "gesendet von ",
    "gesendet mit ",
    "gesendet aus ",
    "diese nachricht wurde ",
    "holen sie sich outlook ",
    "envoyé de",
    "envoyé avec ",
    "obtenez outlook ",
    "verstuurd v",
    "verzonden v",
    "enviado de",
    "enviado do ",
    "enviado con ",
    "obtener outlook ",
    "obter o outlook ",
    "inviato da",
    "scarica outlook ",
    "skickat från ",
    "skickades från ",
    "sendt fra ",
    "lähetetty ",
    "wysłan",
    "odesláno ",
    "elküldve ",
    "отправлено ",
];

/// What such a line names, if it is not one of [`PROGRAMS`].
const DEVICES: [&str; 20] = [
    "phone",
    "telefon",
    "téléphone",
    "handy",
    "tablet",
    "device",
    "gerät",
    "mobil",
    "móvil",
    "cellulare",
    "windows",
    "ios",
    "mac",
    "spark",
    "superhuman",
    "bluemail",
    "zoho",
    "tuta",
    "pixel",
    "mail",
];

/// The most words of a line of a program that begins like none of [`SENT_FROM`].
const MAX_PROGRAM_WORDS: usize = 7;

/// The longest line that a program adds, in characters.
const MAX_PROGRAM_CHARS: usize = 100;

/// The fewest characters of a disclaimer: a paragraph about confidentiality that companies add.
const MIN_DISCLAIMER_CHARS: usize = 50;

/// The same in scripts that write a word with one or two signs.
const MIN_DISCLAIMER_SIGNS: usize = 20;

/// Parts of the lines by which programs that look for viruses, and offices that save paper, sign mails of others.
const NOTES: [&str; 22] = [
    "checked for viruses",
    "scanned for viruses",
    "scanned by ",
    "virus-free",
    "virus free",
    "auf viren geprüft",
    "virenfrei",
    "keine viren",
    "sans virus",
    "aucun virus",
    "libre de virus",
    "senza virus",
    "privo di virus",
    "wolna od wirusów",
    "avast.com",
    "avg.com",
    "consider the environment",
    "before printing this",
    "denken sie an die umwelt",
    "bevor sie diese",
    "avant d'imprimer",
    "pensez à l'environnement",
];

/// The fewest words of such a line.
const MIN_NOTE_WORDS: usize = 4;

/// The most lines of a disclaimer in which its words are looked for.
const MAX_DISCLAIMER_LINES: usize = 12;

/// The fewest characters of the first line of a disclaimer.
const MIN_DISCLAIMER_LINE_CHARS: usize = 30;

/// Beginnings of disclaimers, in the languages of many companies.
const DISCLAIMERS: [&str; 46] = [
    "this e-mail",
    "this email",
    "this message",
    "this mail",
    "this communication",
    "this transmission",
    "the information contained",
    "the information in this",
    "the content of this",
    "the contents of this",
    "the above e-mail",
    "confidential",
    "disclaimer",
    "legal notice",
    "notice:",
    "important notice",
    "privileged",
    "if you are not the",
    "if you have received",
    "please note that this",
    "diese e-mail",
    "diese mail",
    "diese nachricht enth",
    "diese nachricht ist",
    "dieses e-mail",
    "der inhalt dieser",
    "die information in dieser",
    "die informationen in dieser",
    "die in dieser",
    "vertraulich",
    "ce message",
    "ce courriel",
    "cet e-mail",
    "cet email",
    "les informations contenues",
    "dit bericht",
    "deze e-mail",
    "este mensaje",
    "este correo",
    "este e-mail",
    "esta mensagem",
    "questo messaggio",
    "questa e-mail",
    "le informazioni contenute",
    "denna e-post",
    "niniejsza wiadomość",
];

/// Beginnings of words about confidentiality, in the languages of many companies.
const SECRECY: [&str; 18] = [
    "confidenti",
    "confidenc",
    "vertraulich",
    "vertrouwelijk",
    "riservat",
    "poufn",
    "konfidenti",
    "fortrolig",
    "luottamuks",
    "конфиденц",
    "機密",
    "机密",
    "기밀",
    "důvěrn",
    "dôvern",
    "bizalmas",
    "gizli",
    "privileged",
];

/// What such a paragraph speaks of besides: people have secrets and confidence too.
const RECIPIENTS: [&str; 30] = [
    "recipient",
    "addressee",
    "intended",
    "attachment",
    "this e-mail",
    "this email",
    "this message",
    "empfänger",
    "adressat",
    "e-mail",
    "geadresseerde",
    "ontvanger",
    "destinat",
    "adresat",
    "odbiorc",
    "mottagare",
    "mottaker",
    "modtager",
    "vastaanott",
    "получател",
    "адресат",
    "受信",
    "宛先",
    "收件",
    "수신",
    "příjemc",
    "príjemc",
    "címzett",
    "alıcı",
    "in error",
];

/// How surely a line was added by a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confidence {
    Sure,
    /// It names a program or a device and stands alone, in a language that no list has.
    Likely,
}

/// Whether the first of `lines`, which stands below `own`, was added by a program or device; `is_below` if the sender wrote
/// anything above it.
pub fn program_line(lines: &[&str], own: &[&str], is_below: bool) -> Option<Confidence> {
    steps::count(lines[0].len());
    let line = without_signs(lines[0]);
    let words = line.split_whitespace().count();
    // People exclaim, programs do not.
    if line.is_empty() || line.chars().count() > MAX_PROGRAM_CHARS || line.ends_with(['!', '?']) {
        return None;
    }
    let ends = lines.get(1).is_none_or(|next| next.is_empty() || is_quoted(next) || is_drawn(next));
    let names = |names: &[&str]| names.iter().any(|name| line.contains(name));
    let is_program = names(&PROGRAMS);
    let of_sending = SENT_FROM.iter().any(|beginning| line.starts_with(beginning))
        && (!(line.starts_with("von ") || line.starts_with("diese nachricht ")) || line.contains("gesendet"));
    if of_sending && (is_program || names(&DEVICES)) {
        return Some(Confidence::Sure);
    }
    if is_note(&line, words) {
        return Some(Confidence::Likely);
    }
    // A line of an unknown language, alone in its paragraph below another one.
    let alone = ends && own.last().is_some_and(|last| last.is_empty());
    let is_likely = of_sending || is_program && is_below;
    (alone && is_likely && words <= MAX_PROGRAM_WORDS).then_some(Confidence::Likely)
}

/// Whether a line was added by a program that looks for viruses or an office that saves paper.
fn is_note(line: &str, words: usize) -> bool {
    words >= MIN_NOTE_WORDS && NOTES.iter().any(|part| line.contains(part))
}

fn without_signs(line: &str) -> String {
    line.trim_matches(['*', '_', '<', '>', '[', ']', ' ']).to_lowercase()
}

/// The length in lines of a disclaimer that begins here, if one does: a paragraph, or what stands directly below a text and
/// begins like one.
pub fn disclaimer(lines: &[&str], own: &[&str]) -> Option<usize> {
    let ruled = usize::from(lines.len() > 1 && is_drawn(lines[0]));
    let begins = ruled > 0 || own.last().is_none_or(|above| above.is_empty());
    let lines = &lines[ruled..];
    // The words stand at its beginning.
    let of_paragraph = lines.iter().take(MAX_DISCLAIMER_LINES).take_while(|line| !line.is_empty());
    let paragraph: Vec<&str> = of_paragraph.copied().collect();
    let (first, below) = paragraph.split_first()?;
    // Above one that begins further down somebody may have written an order.
    let is_whole =
        || fills_line(first) && !below.iter().any(|line| is_drawn(line) || begins_disclaimer(line));
    if !(begins_disclaimer(first) || begins && is_whole()) {
        return None;
    }
    let text = paragraph.join(" ").to_lowercase();
    steps::count(text.len());
    let speaks = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let is_long = text.chars().count() >= MIN_DISCLAIMER_CHARS || signs(&text) >= MIN_DISCLAIMER_SIGNS;
    let length = || ruled + lines.iter().take_while(|line| !line.is_empty()).count();
    (is_long && speaks(&SECRECY) && speaks(&RECIPIENTS)).then(length)
}

/// The signs of scripts that write a word with one or two.
fn signs(text: &str) -> usize {
    let is_one = |sign: &char| matches!(sign, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}');
    text.chars().filter(is_one).count()
}

/// Whether a line is as long as those of a paragraph are that a program has broken, and longer than an order.
fn fills_line(line: &str) -> bool {
    line.chars().count() >= MIN_DISCLAIMER_LINE_CHARS || signs(line) >= MIN_DISCLAIMER_SIGNS / 2
}

/// Whether a line begins as disclaimers do. It may stand directly below what somebody wrote.
fn begins_disclaimer(line: &str) -> bool {
    let line = without_signs(line);
    fills_line(&line) && DISCLAIMERS.iter().any(|beginning| line.starts_with(beginning))
}
