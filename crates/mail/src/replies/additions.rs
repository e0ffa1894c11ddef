//! Recognises lines and paragraphs that programs, devices and companies add to mails.

use super::marks::is_quoted;
use super::our_mail::is_drawn;

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
const MIN_DISCLAIMER_CHARS: usize = 60;

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

/// Whether the first of `lines`, which stands below `own`, was added by a program or device.
pub fn program_line(lines: &[&str], own: &[&str]) -> Option<Confidence> {
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
    let is_below = own.iter().any(|line| !line.is_empty());
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

/// The length in lines of a disclaimer that begins here, if one does.
pub fn disclaimer(lines: &[&str], own: &[&str]) -> Option<usize> {
    let begins = own.last().is_none_or(|above| above.is_empty());
    let length = lines.iter().take_while(|line| !line.is_empty()).count();
    let text = lines[..length].join(" ").to_lowercase();
    let speaks = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let signs = text.chars().filter(
        |sign| matches!(sign, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'),
    );
    let is_long = text.chars().count() >= MIN_DISCLAIMER_CHARS || signs.count() >= MIN_DISCLAIMER_SIGNS;
    let is_one = is_long && speaks(&SECRECY) && speaks(&RECIPIENTS);
    (begins && is_one).then_some(length)
}
