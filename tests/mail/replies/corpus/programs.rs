//! How mail programs quote our mail, and what they add.

/// The form of a program's answer: `{A}` stands for its user's text, `{Q}` for our mail with quotation marks, `{U}` for our
/// mail without, `{T}` for the reply address. It includes the signature that the program adds.
pub const PROGRAMS: &[(&str, &str)] = &[
    ("gmail en", "{A}\n\nOn Sat, Nov 21, 2026 at 1:00 PM pippost <{T}> wrote:\n\n{Q}"),
    (
        "a gateway that breaks quoted lines anew at 60",
        "{A}\n\nOn Sat, Nov 21, 2026 at 1:00 PM pippost <{T}> wrote:\n\n{C60}",
    ),
    (
        "a gateway that breaks quoted lines anew at 66",
        "{A}\n\nOn Sat, Nov 21, 2026 at 1:00 PM pippost <{T}> wrote:\n\n{C66}",
    ),
    ("a gateway that breaks quoted lines anew at 72", "{A}\n\n{C72}"),
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
    ("gmail da", "{A}\n\nDen lør. 21. nov. 2026 kl. 13.00 skrev pippost <{T}>:\n\n{Q}"),
    ("gmail nb", "{A}\n\nlør. 21. nov. 2026 kl. 13:00 skrev pippost <{T}>:\n\n{Q}"),
    ("gmail uk", "{A}\n\nсб, 21 лист. 2026 р. о 13:00 pippost <{T}> пише:\n\n{Q}"),
    ("gmail el", "{A}\n\nΣτις Σάβ 21 Νοε 2026 στις 13:00, ο χρήστης pippost <{T}> έγραψε:\n\n{Q}"),
    ("gmail ar", "{A}\n\nفي السبت، 21 نوفمبر 2026 في 1:00 م تمت كتابة ما يلي بواسطة pippost <{T}>:\n\n{Q}"),
    ("gmail th", "{A}\n\nเมื่อ ส. 21 พ.ย. 2026 13:00 pippost <{T}> เขียนว่า:\n\n{Q}"),
    ("gmail ro", "{A}\n\nÎn sâm., 21 nov. 2026 la 13:00, pippost <{T}> a scris:\n\n{Q}"),
    (
        "outlook da",
        "{A}\n\nFra: pippost <{T}>\nSendt: 21. november 2026 13:00\nTil: ann\nEmne: Pip•Pip\n\n{U}",
    ),
    (
        "outlook it",
        "{A}\n\nDa: pippost\nInviato: sabato 21 novembre 2026 13:00\nA: ann\nOggetto: Pip•Pip\n\n{U}",
    ),
    (
        "outlook es",
        "{A}\n\nDe: pippost <{T}>\nEnviado: sábado, 21 de noviembre de 2026 13:00\nPara: ann\n\n{U}",
    ),
    (
        "outlook pt",
        "{A}\n\nDe: pippost\nEnviado: 21 de novembro de 2026 13:00\nPara: ann\nAssunto: Pip•Pip\n\n{U}",
    ),
    (
        "outlook ru",
        "{A}\n\nОт: pippost\nОтправлено: 21 ноября 2026 г. 13:00\nКому: ann\nТема: Pip•Pip\n\n{U}",
    ),
    ("zimbra", "{A}\n\n----- Original Message -----\nFrom: \"pippost\" <{T}>\nTo: ann@example.org\n\n{U}"),
    ("evolution", "{A}\n\nOn Sat, 2026-11-21 at 13:00 +0000, pippost wrote:\n{Q}"),
    ("kmail", "{A}\n\nOn Saturday, 21 November 2026 13:00:00 CET pippost wrote:\n{Q}"),
    ("claws", "{A}\n\nOn Sat, 21 Nov 2026 13:00:05 +0000\npippost <{T}> wrote:\n\n{Q}"),
    ("alpine", "{A}\n\nOn Sat, 21 Nov 2026, pippost wrote:\n\n{Q}"),
    (
        "pgp, with a signature that it escapes",
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n{A}\n\n- -- \nAnn Example\nACME Ltd, Leeds\n-----BEGIN PGP SIGNATURE-----\n\niQIzBAEBCgAdFiEE\n-----END PGP SIGNATURE-----\n",
    ),
    ("the text of a picture above", "{A}\n\n[image: Pip•Pip: ann (light) 0, bob (dark) 0.]\n{U}"),
    ("the picture's number above", "{A}\n\n[cid:board]\n\n{U}"),
    ("an unknown language, without an address", "{A}\n\nHveraf: pippost\nHvenar: 21-11-2026 13:00\n\n{U}"),
    ("huawei zh", "{A}\n\n-------- 原始邮件 --------\n发件人：pippost <{T}>\n日期：2026年11月21日\n\n{U}"),
    ("gmail vi", "{A}\n\nVào Th 7, 21 thg 11, 2026 vào lúc 13:00 pippost <{T}>\nđã viết:\n\n{Q}"),
    ("gmail id", "{A}\n\nPada tanggal Sab, 21 Nov 2026 13.00, pippost <\n{T}> menulis:\n\n{Q}"),
    ("gmail bg", "{A}\n\nНа сб, 21.11.2026 г. в 13:00 pippost <{T}>\nнаписа:\n\n{Q}"),
    ("apple mail cs", "{A}\n\nOdesláno z iPhonu\n\n> 21. 11. 2026 v 13:00, pippost <{T}>:\n> \n{Q}"),
    ("apple mail ko", "{A}\n\n나의 iPhone에서 보냄\n\n2026. 11. 21. 오후 1:00, pippost <{T}> 작성:\n\n{U}"),
    (
        "iphone nl",
        "{A}\n\nVerstuurd vanaf mijn iPhone\n\n> Op 21 nov 2026 om 13:00 heeft pippost <{T}> het volgende geschreven:\n> \n{Q}",
    ),
    (
        "outlook hu",
        "{A}\n\nFeladó: pippost <{T}>\nElküldve: 2026. november 21., szombat 13:00\nCímzett: ann\nTárgy: Pip•Pip\n\n{U}",
    ),
    (
        "outlook he",
        "{A}\n\nמאת: pippost <{T}>\nנשלח: יום שבת 21 נובמבר 2026 13:00\nאל: ann\nנושא: Pip•Pip\n\n{U}",
    ),
    (
        "outlook el, without an address",
        "{A}\n\nΑπό: pippost\nΣτάλθηκε: Σάββατο, 21 Νοεμβρίου 2026 1:00 μμ\nΠρος: ann\nΘέμα: Pip•Pip\n\n{U}",
    ),
    (
        "outlook for ios de",
        "{A}\n\nHolen Sie sich Outlook für iOS<https://aka.ms/o0ukef>\n________________________________\nVon: pippost <{T}>\nGesendet: Saturday, November 21, 2026 1:00:00 PM\n\n{U}",
    ),
    ("spark", "{A}\n\nSent from Spark\nOn 21 Nov 2026 at 1:00 PM +0100, pippost <{T}>, wrote:\n\n{U}"),
    (
        "superhuman",
        "{A}\n\nSent via Superhuman ( https://sprh.mn/?vip=ann@example.org )\n\nOn Sat, Nov 21, 2026 at 1:00 PM, pippost < {T} > wrote:\n\n{Q}",
    ),
    ("zoho", "{A}\n\n---- On Sat, 21 Nov 2026 13:00:00 +0530 pippost <{T}> wrote ---\n\n{U}"),
    (
        "tuta",
        "{A}\n\n--\nSent with Tuta; enjoy secure & ad-free emails:\nhttps://tuta.com\n\n21 Nov 2026, 13:00 by {T}:\n\n{Q}",
    ),
    (
        "fairemail",
        "{A}\n\n\u{2063}Sent from FairEmail \u{200b}\n\n\nNov 21, 2026 1:00:00 PM pippost <{T}>:\n\n{Q}",
    ),
    (
        "lotus notes, in columns",
        "{A}\n\n             \"pippost\"            \n             <{T}>     \n                                       An\n             21.11.2026 13:00   ann@example.org    \n\n\n\n{U}",
    ),
    (
        "lotus notes de",
        "{A}\n\nVon:\t\"pippost\" <{T}>\nAn:\tann@example.org\nDatum:\t21.11.2026 13:00\n\n\n{U}",
    ),
    (
        "qq",
        "{A}\n\n\n------------------&nbsp;原始邮件&nbsp;------------------\n发件人:  \"pippost\" <{T}>;\n发送时间:&nbsp;2026年11月21日(星期六) 中午1:00\n\n\n{U}",
    ),
    (
        "seznam",
        "{A}\n\n\n---------- Původní e-mail ----------\nOd: pippost <{T}>\nKomu: ann@example.org\nDatum: 21. 11. 2026 13:00:00\n\n{U}",
    ),
    (
        "em client, without colons",
        "{A}\n\n------ Original Message ------\nFrom \"pippost\" <{T}>\nTo ann@example.org\nDate 21/11/2026 13:00:00\nSubject x\n\n{U}",
    ),
    ("open-xchange de", "{A}\n\npippost <{T}> hat am 21.11.2026 13:00 CET geschrieben:\n\n \n{U}"),
    (
        "the bat, with initials",
        "{A}\n\nSaturday, November 21, 2026, 1:00:00 PM, you wrote:\n\np> Hello ann,\np> store\np> roll\n",
    ),
    ("a quote with colons", "{A}\n\npippost wrote on 2026-11-21:\n\n: {U}"),
    ("an introduction without date or address", "{A}\n\npippost kirjutas:\n\n{U}"),
    ("indented", "{A}\n\nOn Sat, 21 Nov 2026, pippost wrote:\n    {U}"),
];
