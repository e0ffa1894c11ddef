//! A corpus of answers: the ways in which mail programs in a dozen languages quote our mail, times what people write above,
//! below and inside the quotation.

use pippost::games::letters::notation::{self, LineReading};
use pippost::replies::OurMail;
use pippost::replies::orders::{Orders, Writer};
use pippost::replies::table_message::Written;
use pippost::rules::{self, Chance, Position, Step, Words};

use super::Post;
use crate::api::games::pip_pip;
use crate::support::TestApp;

/// The form of a program's answer: `{A}` stands for its user's text, `{Q}` for our mail with quotation marks, `{U}` for our
/// mail without, `{T}` for the reply address. It includes the signature that the program adds.
const PROGRAMS: &[(&str, &str)] = &[
    ("gmail en", "{A}\n\nOn Sat, Nov 21, 2026 at 1:00 PM pippost <{T}> wrote:\n\n{Q}"),
    ("gmail en, wrapped", "{A}\n\nOn Sat, Nov 21, 2026 at 1:00 PM pippost <\n{T}> wrote:\n\n{Q}"),
    ("gmail de", "{A}\n\nAm Sa., 21. Nov. 2026 um 13:00 Uhr schrieb pippost <\n{T}>:\n\n{Q}"),
    ("gmail nl", "{A}\n\nOp za 21 nov 2026 om 13:00 schreef pippost <{T}>:\n\n{Q}"),
    ("gmail sv", "{A}\n\nDen lör 21 nov. 2026 kl 13:00 skrev pippost <{T}>:\n\n{Q}"),
    ("gmail ja", "{A}\n\n2026年11月21日(土) 13:00 pippost <{T}>:\n\n{Q}"),
    ("gmail fr", "{A}\n\nLe sam. 21 nov. 2026 à 13:00, pippost <{T}> a\nécrit :\n\n{Q}"),
    ("gmail es", "{A}\n\nEl sáb, 21 nov 2026 a las 13:00, pippost (<{T}>)\nescribió:\n\n{Q}"),
    ("gmail it", "{A}\n\nIl giorno sab 21 nov 2026 alle ore 13:00 pippost <{T}>\nha scritto:\n\n{Q}"),
    ("gmail pl", "{A}\n\nsob., 21 lis 2026 o 13:00 pippost <{T}> napisał(a):\n\n{Q}"),
    ("gmail pt", "{A}\n\nEm sáb., 21 de nov. de 2026 às 13:00, pippost <{T}>\nescreveu:\n\n{Q}"),
    ("gmail ru", "{A}\n\nсб, 21 нояб. 2026 г. в 13:00, pippost <{T}>:\n\n{Q}"),
    ("gmail, below the quote", "On Sat, Nov 21, 2026 at 1:00 PM pippost <{T}> wrote:\n\n{Q}\n\n{A}"),
    (
        "outlook en",
        "{A}\n\n________________________________\nFrom: pippost <{T}>\nSent: Saturday, November 21, 2026 1:00 PM\nTo: ann <ann@example.org>\nSubject: Pip•Pip against bob: your turn\n\n{U}",
    ),
    (
        "outlook en, without a rule",
        "{A}\n\nFrom: pippost <{T}>\nSent: Saturday, November 21, 2026 1:00 PM\nTo: ann <ann@example.org>\nSubject: Pip•Pip against bob: your turn\n\n{U}",
    ),
    (
        "outlook de",
        "{A}\n\nVon: pippost <{T}>\nGesendet: Samstag, 21. November 2026 13:00\nAn: ann <ann@example.org>\nBetreff: Pip•Pip gegen bob: du bist am Zug\n\n{U}",
    ),
    (
        "outlook nl",
        "{A}\n\nVan: pippost <{T}>\nVerzonden: zaterdag 21 november 2026 13:00\nAan: ann <ann@example.org>\nOnderwerp: Pip•Pip against bob: your turn\n\n{U}",
    ),
    (
        "outlook sv",
        "{A}\n\nFrån: pippost <{T}>\nSkickat: den 21 november 2026 13:00\nTill: ann <ann@example.org>\nÄmne: Pip•Pip against bob: your turn\n\n{U}",
    ),
    (
        "outlook ja",
        "{A}\n\n差出人: pippost <{T}>\n送信日時: 2026年11月21日 13:00\n宛先: ann <ann@example.org>\n件名: Pip•Pip against bob: your turn\n\n{U}",
    ),
    (
        "outlook fr",
        "{A}\n\nDe : pippost <{T}>\nEnvoyé : samedi 21 novembre 2026 13:00\nÀ : ann <ann@example.org>\nObjet : Pip•Pip against bob: your turn\n\n{U}",
    ),
    (
        "outlook for iphone",
        "{A}\n\nGet Outlook for iOS<https://aka.ms/o0ukef>\n________________________________\nFrom: pippost <{T}>\nSent: Saturday, November 21, 2026 1:00:00 PM\nTo: ann <ann@example.org>\n\n{U}",
    ),
    (
        "outlook 2003 de",
        "{A}\n\n-----Ursprüngliche Nachricht-----\nVon: pippost [mailto:{T}]\nGesendet: Samstag, 21. November 2026 13:00\n\n{U}",
    ),
    ("apple mail en", "{A}\n\n> On 21 Nov 2026, at 13:00, pippost <{T}> wrote:\n> \n{Q}"),
    ("apple mail de", "{A}\n\n> Am 21.11.2026 um 13:00 schrieb pippost <{T}>:\n> \n{Q}"),
    ("iphone en", "{A}\n\nSent from my iPhone\n\n> On 21 Nov 2026, at 13:00, pippost <{T}> wrote:\n> \n{Q}"),
    ("iphone sv", "{A}\n\nSkickat från min iPhone\n\n> 21 nov. 2026 kl. 13:00 skrev pippost <{T}>:\n> \n{Q}"),
    ("iphone ja", "{A}\n\niPhoneから送信\n\n> 2026/11/21 13:00、pippost <{T}>のメール:\n> \n{Q}"),
    (
        "samsung de",
        "{A}\n\nVon meinem Galaxy gesendet\n\n\n-------- Ursprüngliche Nachricht --------\nVon: pippost <{T}>\nDatum: 21.11.26 13:00 (GMT+01:00)\nAn: ann <ann@example.org>\n\n{U}",
    ),
    (
        "samsung en",
        "{A}\n\nSent from my Galaxy\n\n\n-------- Original message --------\nFrom: pippost <{T}>\nDate: 21/11/2026 13:00 (GMT+00:00)\n\n{U}",
    ),
    ("thunderbird en", "{A}\n\nOn 21/11/2026 13:00, pippost wrote:\n{Q}"),
    ("thunderbird de", "{A}\n\nAm 21.11.26 um 13:00 schrieb pippost:\n{Q}"),
    (
        "thunderbird, below with a signature",
        "Am 21.11.26 um 13:00 schrieb pippost:\n{Q}\n\n{A}\n\n-- \nAnn Example\nroll\n",
    ),
    (
        "k-9 de",
        "{A}\n-- \nDiese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.\n\nAm 21. November 2026 13:00:00 MEZ schrieb pippost <{T}>:\n{Q}",
    ),
    (
        "lotus notes en",
        "{A}\n\n\n\nFrom:   pippost <{T}>\nTo:     ann@example.org\nDate:   21.11.2026 13:00\nSubject:        Pip•Pip against bob: your turn\n\n\n\n{U}",
    ),
    ("lotus notes, one line", "{A}\n\npippost ---21.11.2026 13:00:05---{U}"),
    (
        "gmx de",
        "{A}\n \n\nGesendet: Samstag, 21. November 2026 um 13:00 Uhr\nVon: pippost <{T}>\nAn: ann@example.org\nBetreff: Pip•Pip gegen bob: du bist am Zug\n\n{U}",
    ),
    (
        "web.de, with marks",
        "{A}\n \n\n> Gesendet: Samstag, 21. November 2026 um 13:00 Uhr\n> Von: pippost <{T}>\n{Q}",
    ),
    (
        "yahoo en",
        "{A}\n\n    On Saturday, November 21, 2026 at 01:00:00 PM GMT+1, pippost <{T}> wrote:  \n\n {U}",
    ),
    ("yahoo fr", "{A}\n\n    Le samedi 21 novembre 2026 à 13:00:00 UTC+1, pippost <{T}> a écrit :  \n\n {U}"),
    (
        "proton en",
        "{A}\n\nSent with Proton Mail secure email.\n\nOn Saturday, November 21st, 2026 at 13:00, pippost <{T}> wrote:\n\n{Q}",
    ),
    ("fastmail en", "{A}\n\nOn Sat, 21 Nov 2026, at 1:00 PM, pippost wrote:\n{Q}"),
    ("mutt en", "{A}\n\nOn Sat, Nov 21, 2026 at 01:00:00PM +0100, pippost wrote:\n{Q}"),
    ("mail.ru ru", "{A}\n\n>Суббота, 21 ноября 2026, 13:00 +03:00 от pippost <{T}>:\n>\n{Q}"),
    ("nothing at all", "{A}\n"),
    ("the whole mail, no header, no mark", "{A}\n\n{U}"),
    ("the whole mail right below", "{A}\n{U}"),
    (
        "pgp",
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n{A}\n\nOn 21/11/2026 13:00, pippost wrote:\n{Q}\n-----BEGIN PGP SIGNATURE-----\n\niQIzBAEBCgAdFiEE\n-----END PGP SIGNATURE-----\n",
    ),
    (
        "a banner of the company",
        "[EXTERNAL] This mail was sent from outside of the company.\n\n{A}\n\nFrom: pippost <{T}>\nSent: Saturday, November 21, 2026 1:00 PM\n\n{U}",
    ),
    ("gmail ko", "{A}\n\n2026년 11월 21일 (토) 오후 1:00, pippost <{T}>님이 작성:\n\n{Q}"),
    ("gmail zh", "{A}\n\npippost <{T}> 于2026年11月21日周六 13:00写道：\n\n{Q}"),
    ("gmail tr", "{A}\n\npippost <{T}>, 21 Kas 2026 Cmt, 13:00 tarihinde şunu yazdı:\n\n{Q}"),
    ("gmail cs", "{A}\n\nso 21. 11. 2026 v 13:00 odesílatel pippost <{T}> napsal:\n\n{Q}"),
    ("gmail fi", "{A}\n\nla 21. marrask. 2026 klo 13.00 pippost (<{T}>) kirjoitti:\n\n{Q}"),
    ("gmail hu", "{A}\n\npippost <{T}> ezt írta (időpont: 2026. nov. 21., Szo, 13:00):\n\n{Q}"),
    (
        "gmail he",
        "{A}\n\n\u{200f}בתאריך שבת, 21 בנוב׳ 2026 ב-13:00 מאת \u{202a}pippost\u{202c}\u{200f} <\u{202a}{T}\u{202c}\u{200f}>:\u{202c}\n\n{Q}",
    ),
    (
        "outlook ko",
        "{A}\n\n보낸 사람: pippost <{T}>\n보낸 날짜: 2026년 11월 21일 토요일 오후 1:00\n받는 사람: ann\n제목: Pip•Pip\n\n{U}",
    ),
    (
        "outlook zh",
        "{A}\n\n发件人: pippost <{T}>\n发送时间: 2026年11月21日 13:00\n收件人: ann\n主题: Pip•Pip\n\n{U}",
    ),
    (
        "outlook tr",
        "{A}\n\nKimden: pippost <{T}>\nGönderildi: 21 Kasım 2026 Cumartesi 13:00\nKime: ann\nKonu: Pip•Pip\n\n{U}",
    ),
    (
        "outlook pl",
        "{A}\n\nOd: pippost <{T}>\nWysłano: sobota, 21 listopada 2026 13:00\nDo: ann\nTemat: Pip•Pip\n\n{U}",
    ),
    (
        "outlook cs, in bold",
        "{A}\n\n*Od:* pippost <{T}>\n*Odesláno:* sobota 21. listopadu 2026 13:00\n*Komu:* ann\n*Předmět:* Pip•Pip\n\n{U}",
    ),
    (
        "outlook fi, without an address",
        "{A}\n\n________________________________\nLähettäjä: pippost\nLähetetty: lauantai 21. marraskuuta 2026 13.00\nVastaanottaja: ann\nAihe: Pip•Pip\n\n{U}",
    ),
    ("a quote with bars", "{A}\n\npippost wrote on 21/11:\n| {U}"),
    ("a quote with initials", "{A}\n\nPP> hello\nPP> store\nPP> roll\n"),
    (
        "samsung hu",
        "{A}\n\nElküldve a Galaxy készülékemről\n\n-------- Eredeti üzenet --------\nFeladó: pippost\nDátum: 2026. 11. 21. 13:00\n\n{U}",
    ),
    (
        "outlook for android de",
        "{A}\n\nVon Outlook für Android<https://aka.ms/AAb9ysg> gesendet\n________________________________\nVon: pippost\n\n{U}",
    ),
    (
        "gmx on a telephone",
        "{A}\n--\nDiese Nachricht wurde von meinem Android Mobiltelefon mit GMX Mail gesendet.\nAm 21.11.26, 13:00 schrieb pippost <{T}>:\n\n{Q}",
    ),
    (
        "a company's secrecy",
        "{A}\n\nThis e-mail and any attachments are confidential and intended solely for the addressee. If you are not the intended recipient, delete it.\n\nFrom: pippost\nSent: today\n\n{U}",
    ),
    (
        "a company's secrecy, above",
        "CONFIDENTIAL: this message was sent from outside of the organisation, be careful with links and attachments.\n\n{A}\n\nOn Sat, 21 Nov, pippost wrote:\n{Q}",
    ),
    (
        "a closing and a company",
        "{A}\n\nKind regards,\n\nAnn Example\nSenior Engineer\nACME Ltd\n1 High Street, Leeds\n\nOn Sat, 21 Nov, pippost wrote:\n{Q}",
    ),
    ("a closing de", "{A}\n\nMit freundlichen Grüßen\nAnn Example\n\nAm Sa schrieb pippost:\n{Q}"),
    (
        "a virus scanner",
        "{A}\n\n<https://www.avast.com/sig-email>\nVirus-free.www.avast.com\n<#DAB4FAD8-2DD7-40BB-A1B8-4E2AA1F9FDF2>\n\nOn Sat, pippost wrote:\n{Q}",
    ),
    ("a company between rules", "{A}\n\n==========\nACME GmbH, Sitz: Berlin, HRB 12345\n==========\n\n{U}"),
    (
        "blackberry",
        "{A}\nSent from my BlackBerry 10 smartphone on the O2 network.\n  Original Message  \nFrom: pippost\nSent: Samstag, 21. November 2026 13:00\n\n{U}",
    ),
    ("forwarded", "{A}\n\n---------- Forwarded message ---------\nFrom: pippost <{T}>\nDate: Sat\n\n{U}"),
    ("roundcube", "{A}\n\nOn 2026-11-21 13:00, pippost wrote:\n{Q}"),
    ("gnus", "{A}\n\npippost <{T}> writes:\n\n{Q}"),
    ("sogo de", "{A}\n\nAm Samstag, November 21, 2026 13:00 CET, schrieb pippost <{T}>:\n {U}"),
    ("icloud", "{A}\n\n> On Nov 21, 2026, at 1:00 PM, pippost <{T}> wrote:\n> \n> \u{feff}\n{Q}"),
    ("yandex", "{A}\n\n21.11.2026, 13:00, \"pippost\" <{T}>:\n\n{U}"),
    ("huawei zh", "{A}\n\n-------- 原始邮件 --------\n发件人：pippost <{T}>\n日期：2026年11月21日\n\n{U}"),
];

/// What people write, and the expected result: the actions, and the message to the table.
const HABITS: &[(&str, &str, &[&str], Option<&str>)] = &[
    ("one move", "store", &["store"], None),
    ("in capitals, with a full stop", "Store.", &["Store"], None),
    ("as the mail prints it", "“store”", &["store"], None),
    ("in bold", "*store*", &["store"], None),
    ("two lines", "store\nc6 n1", &["store", "c6 n1"], None),
    ("two paragraphs", "store\n\nc6 n1", &["store", "c6 n1"], None),
    ("one line with a semicolon", "store; c6 n1", &["store", "c6 n1"], None),
    ("as a list", "- store\n- c6 n1", &["store", "c6 n1"], None),
    ("with courtesies", "Hi,\n\nstore\n\nThanks,\nAnn", &["store"], None),
    ("with courtesies in another language", "Hoi!\nstore\nveel plezier", &["store"], None),
    ("in German", "lagern", &["store"], None),
    ("with a message", "store\n---\nWell played!", &["store"], Some("Well played!")),
    (
        "with a message of two paragraphs",
        "store\n---\nWell played!\n\nUntil soon.",
        &["store"],
        Some("Well played!\n\nUntil soon."),
    ),
    (
        "with a message, typed on a telephone",
        "store\n\u{2014}\nWell played!",
        &["store"],
        Some("Well played!"),
    ),
    ("with a message and a name", "store\n---\nWell played!\n\nAnn", &["store"], Some("Well played!")),
    (
        "with the signature of a company",
        "store\n---\nAnn Example\nAcme GmbH | www.acme.example\nTel. +49 30 1234567",
        &["store"],
        None,
    ),
    ("nothing", "", &[], None),
    ("thanks alone", "Thank you!", &[], None),
    ("numbered", "1) store\n2) c6 n1", &["store", "c6 n1"], None),
    ("with a bullet", "• store", &["store"], None),
    ("in bold, twice", "**store**", &["store"], None),
    ("in backticks", "`store`", &["store"], None),
    ("in French quotation marks", "« store »", &["store"], None),
    ("with an exclamation mark", "store!", &["store"], None),
    ("with a blank that does not break", "c6\u{a0}n1", &["c6 n1"], None),
    ("in wide letters", "ｓｔｏｒｅ", &["store"], None),
    ("with invisible blanks", "\u{200b}store\u{200b}", &["store"], None),
    ("with a closing", "store\n\nBest,\nAnn", &["store"], None),
    ("with a closing in German", "store\n\nLG Ann", &["store"], None),
    ("with spaced dashes", "store\n- - -\nWell played!", &["store"], Some("Well played!")),
    ("with five dashes", "store\n-----\nWell played!", &["store"], Some("Well played!")),
    ("with a message behind the dashes", "store\n--- Well played!", &["store"], Some("Well played!")),
    (
        "with a message and a telephone's line",
        "store\n---\nWell played!\n\nSent from my iPhone",
        &["store"],
        Some("Well played!"),
    ),
    (
        "the same in French",
        "store\n---\nBien joué !\n\nEnvoyé de mon iPhone",
        &["store"],
        Some("Bien joué !"),
    ),
    (
        "with a message and a closing in German",
        "store\n---\nGut gespielt!\n\nViele Grüße\nAnn",
        &["store"],
        Some("Gut gespielt!"),
    ),
    ("with a message in Japanese", "store\n---\nよくできました！", &["store"], Some("よくできました！")),
    (
        "with a message and a signature",
        "store\n---\nNice.\n\n-- \nAnn Example\nAcme GmbH",
        &["store"],
        Some("Nice."),
    ),
];

/// Chance in which every die shows a one.
struct Ones;

impl Words for Ones {
    fn next_word(&mut self) -> u32 {
        0
    }
}

fn position() -> Box<dyn Position> {
    let rules = rules::find("pip-pip", Some(1)).expect("a rule set");
    let options = rules.complete_options(&serde_json::json!({})).expect("no options");
    let mut ones = Ones;
    let mut step = Step::new(Chance::Drawn(&mut ones));
    rules.start(&options, 2, &mut step).unwrap_or_else(|_| panic!("chance is known"))
}

fn written(orders: &Orders) -> Option<&str> {
    match &orders.message {
        Written::Message { text, .. } => Some(text),
        Written::Nothing | Written::Empty | Written::Signature => None,
    }
}

/// Our turn mails as delivered, in both languages, with their reply addresses.
async fn turn_mails() -> Vec<(String, String)> {
    let mut mails = Vec::new();
    for language in ["en", "de"] {
        let app = TestApp::start().await;
        let (_, [ann, _]) = pip_pip(&app).await;
        ann.patch("/api/v1/me/notification-preferences", &serde_json::json!({"language": language}))
            .await
            .ok();
        let turn = Post::of(&app).last("ann").await;
        mails.push((turn.text, turn.reply_to.expect("an address")));
    }
    mails
}

#[tokio::test(flavor = "multi_thread")]
async fn every_program_and_habit_is_read_as_it_was_meant() {
    let position = position();
    let action = |line: &str| -> LineReading { notation::read(&*position, "pip-pip", line, true) };
    let ours = OurMail::new("play.example.org", None);
    let mut cases = 0;
    let mut wrong = Vec::new();
    for (mail, address) in turn_mails().await {
        let quoted = mail.lines().map(|line| format!("> {line}")).collect::<Vec<_>>().join("\n");
        for (program, form) in PROGRAMS {
            for (habit, text, actions, said) in HABITS {
                let whole = form
                    .replace("{T}", &address)
                    .replace("{Q}", &quoted)
                    .replace("{U}", &mail)
                    .replace("{A}", text);
                let orders = Orders::read(
                    &whole,
                    Writer {
                        ours: &ours,
                        name: Some("Ann Example"),
                        address: Some("ann@example.org"),
                        handle: "ann",
                    },
                    &action,
                );
                cases += 1;
                let quotes_us =
                    orders.left_out.iter().any(|line| mail.contains(line.as_str()) && line.len() > 5);
                if orders.actions != *actions
                    || written(&orders) != *said
                    || orders.broken.is_some()
                    || quotes_us
                {
                    wrong.push(format!(
                        "{program}, {habit}: {:?} {:?} {:?}",
                        orders.actions, orders.message, orders.left_out
                    ));
                }
            }
        }
    }
    assert!(cases >= 150, "{cases}");
    assert_eq!(wrong, Vec::<String>::new(), "{} of {cases}", wrong.len());
}
