//! Runs the modules of the verifier's page in a plain JavaScript engine: thousands of records in seconds.
//!
//! The engine has the language only. The browser functions that the modules use are supplied here: SHA-256, HMAC and HKDF under
//! the names of WebCrypto, and UTF-8.

use std::borrow::Cow;
use std::collections::HashMap;

use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::{hkdf, hmac};
use rquickjs::function::Func;
use rquickjs::loader::{ImportAttributes, Loader, Resolver};
use rquickjs::module::Declared;
use rquickjs::{
    CatchResultExt, Context, Ctx, Function, Module, Object, Persistent, Promise, Runtime, TypedArray,
};

/// A verifier's verdict on a record: accepted, or the check and the place that fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Accepted { proved: bool },
    Refused { check: u64, place: String },
}

/// Replaces the browser's functions by those of `lend`. Nothing here depends on what is verified.
const BROWSER: &str = r#"
// Bytes go out as texts of as many characters: the engine lends no bytes without `unsafe`.
function out(bytes) {
  const step = 4096;
  let text = "";
  for (let from = 0; from < bytes.length; from += step) {
    text += String.fromCharCode.apply(null, bytes.subarray(from, from + step));
  }
  return text;
}
globalThis.TextEncoder = class {
  encode(text) { return lent.encode(text); }
};
globalThis.TextDecoder = class {
  decode(bytes) {
    const text = lent.decode(out(bytes));
    if (text == null) throw new TypeError("not UTF-8");
    return text;
  }
};
globalThis.crypto = {
  subtle: {
    async digest(_, bytes) { return lent.sha256(out(bytes)); },
    async importKey(_, bytes) { return new Uint8Array(bytes); },
    async deriveBits({ salt, info }, material) { return lent.hkdf(out(material), out(salt), out(info)); },
    async sign(_, key, bytes) { return lent.hmac(out(key), out(bytes)); },
  },
};
"#;

/// The call of the verifier: returns check and place as one text, or how the record was accepted.
const JUDGE: &str = r#"
import { verify } from "./verify.js";
export async function judge(bytes) {
  const { failure: first, clock, proved } = await verify(bytes);
  const failure = first ?? clock?.failure ?? null;
  return failure === null ? `${proved}` : `${failure.check} ${failure.place.name}`;
}
"#;

/// The same of a record with a clock log: check and place of what fails there, or the times, a line for each event.
const JUDGE_CLOCK: &str = r#"
import { verify } from "./verify.js";
export async function judge(bytes) {
  const { failure, clock } = await verify(bytes);
  if (failure !== null) return `record ${failure.check} ${failure.place.name}`;
  if (clock === null) return "no clock log";
  if (clock.failure !== null) return `${clock.failure.check} ${clock.failure.place.name}`;
  if (clock.times === null) return "sealed";
  const line = ({ seq, seat, limit, bank, wait }) => `${seq} ${seat} ${limit ?? "-"} ${bank ?? "-"} ${wait ?? "-"}\n`;
  return clock.times.map(line).join("");
}
"#;

type Bytes<'js> = TypedArray<'js, u8>;

/// Modules by name, one of them `verify.js`.
pub type Modules = Vec<(&'static str, Cow<'static, str>)>;

/// The sources of modules, by name.
struct Sources(HashMap<&'static str, Cow<'static, str>>);

/// Resolves modules by their file names.
struct Names;

impl Resolver for Names {
    fn resolve<'js>(
        &mut self,
        _ctx: &Ctx<'js>,
        _base: &str,
        name: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> rquickjs::Result<String> {
        Ok(name.trim_start_matches("./").to_owned())
    }
}

impl Loader for Sources {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> rquickjs::Result<Module<'js, Declared>> {
        let source = self.0.get(name).ok_or_else(|| rquickjs::Error::new_loading(name))?;
        Module::declare(ctx.clone(), name, source.as_bytes())
    }
}

/// The most stack that the engine's calls may use, in bytes. In tests its C code is built without optimisation and uses more
/// per call than a browser does; records may nest 127 values.
const CALLS_BYTES: usize = 8 << 20;

/// The stack of a thread with an engine, in bytes.
const STACK_BYTES: usize = 2 * CALLS_BYTES;

/// Runs `work` with an engine that has the modules of the page.
pub fn with_engine<T: Send>(work: impl FnOnce(&Engine) -> T + Send) -> T {
    with_modules(pippost::web::verifier::modules(), work)
}

/// Runs `work` with an engine on a thread with a large enough stack, and waits for it.
pub fn with_modules<T: Send>(modules: Modules, work: impl FnOnce(&Engine) -> T + Send) -> T {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
    std::thread::scope(|scope| {
        let working = thread.spawn_scoped(scope, || work(&Engine::new(modules))).expect("a thread");
        working.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// The engine with the loaded verifier. It belongs to its thread.
pub struct Engine {
    // Dropped before the context to which it belongs.
    judge: Option<Persistent<Function<'static>>>,
    judge_clock: Option<Persistent<Function<'static>>>,
    context: Context,
    _runtime: Runtime,
}

impl Engine {
    fn new(modules: Modules) -> Self {
        let runtime = Runtime::new().expect("an engine");
        runtime.set_max_stack_size(CALLS_BYTES);
        runtime.set_loader(Names, Sources(modules.into_iter().collect()));
        let context = Context::full(&runtime).expect("a context");
        let judge = context.with(|ctx| {
            lend(&ctx).catch(&ctx).expect("functions");
            ctx.eval::<(), _>(BROWSER).catch(&ctx).expect("a script");
            let load = |name: &str, source: &str| {
                let module = Module::declare(ctx.clone(), name, source).catch(&ctx).expect("modules");
                let (module, done) = module.eval().catch(&ctx).expect("modules");
                done.finish::<()>().catch(&ctx).expect("modules");
                let judge: Function<'_> = module.get("judge").catch(&ctx).expect("a function");
                Persistent::save(&ctx, judge)
            };
            [load("judge.js", JUDGE), load("judge_clock.js", JUDGE_CLOCK)]
        });
        let [judge, judge_clock] = judge;
        Self { judge: Some(judge), judge_clock: Some(judge_clock), context, _runtime: runtime }
    }

    /// The modules' verdict on a record.
    ///
    /// # Panics
    /// If the modules throw, which no record may cause.
    pub fn judge(&self, record: &[u8]) -> Verdict {
        let said = self.said(self.judge.as_ref(), record);
        match said.split_once(' ') {
            Some((check, place)) => {
                Verdict::Refused { check: check.parse().expect("a number"), place: place.to_owned() }
            }
            None => Verdict::Accepted { proved: said == "true" },
        }
    }

    /// What the modules say of a record with a clock log: check and place of what fails, or the times, a line for each event.
    ///
    /// # Panics
    /// If the modules throw, which no record may cause.
    pub fn judge_clock(&self, whole: &[u8]) -> String {
        self.said(self.judge_clock.as_ref(), whole)
    }

    fn said(&self, judge: Option<&Persistent<Function<'static>>>, record: &[u8]) -> String {
        self.context.with(|ctx| {
            let judge = judge.cloned().expect("kept until the end").restore(&ctx).expect("this context's");
            let bytes = Bytes::new(ctx.clone(), record).expect("bytes");
            let promise: Promise<'_> = judge.call((bytes,)).catch(&ctx).expect("a promise");
            let said = promise.finish().catch(&ctx);
            said.unwrap_or_else(|error| panic!("{error}:\n{}", String::from_utf8_lossy(record)))
        })
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        drop(self.judge.take());
        drop(self.judge_clock.take());
    }
}

/// Defines the functions that replace the browser's, under the name `lent`.
fn lend(ctx: &Ctx<'_>) -> rquickjs::Result<()> {
    let lent = Object::new(ctx.clone())?;
    lent.set("encode", Func::from(encode))?;
    lent.set("decode", Func::from(decode))?;
    lent.set("sha256", Func::from(sha256))?;
    lent.set("hkdf", Func::from(hkdf_sha256))?;
    lent.set("hmac", Func::from(hmac_sha256))?;
    ctx.globals().set("lent", lent)
}

/// The bytes that were passed as characters.
fn bytes_of(text: &str) -> Vec<u8> {
    text.chars().map(|character| u8::try_from(character).expect("a byte")).collect()
}

fn encode(ctx: Ctx<'_>, text: String) -> rquickjs::Result<Bytes<'_>> {
    Bytes::new(ctx, text.into_bytes())
}

fn decode(bytes: String) -> Option<String> {
    String::from_utf8(bytes_of(&bytes)).ok()
}

fn sha256(ctx: Ctx<'_>, bytes: String) -> rquickjs::Result<Bytes<'_>> {
    Bytes::new(ctx, digest(&SHA256, &bytes_of(&bytes)).as_ref())
}

fn hkdf_sha256(ctx: Ctx<'_>, material: String, salt: String, info: String) -> rquickjs::Result<Bytes<'_>> {
    let extracted = hkdf::Salt::new(hkdf::HKDF_SHA256, &bytes_of(&salt)).extract(&bytes_of(&material));
    let (info, mut key) = (bytes_of(&info), [0; 32]);
    let info = [info.as_slice()];
    let expanded = extracted.expand(&info, hkdf::HKDF_SHA256).expect("32 bytes can be had");
    expanded.fill(&mut key).expect("32 bytes can be had");
    Bytes::new(ctx, key)
}

fn hmac_sha256(ctx: Ctx<'_>, key: String, bytes: String) -> rquickjs::Result<Bytes<'_>> {
    let key = hmac::Key::new(hmac::HMAC_SHA256, &bytes_of(&key));
    Bytes::new(ctx, hmac::sign(&key, &bytes_of(&bytes)).as_ref())
}
