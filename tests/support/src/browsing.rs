//! A browser without scripts: it keeps cookies, sends forms as they stand in a page, and says that they come from this site.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use reqwest::header::{ACCEPT, CONTENT_TYPE, COOKIE, HeaderMap, LOCATION, SET_COOKIE};
use reqwest::{Method, StatusCode};

use super::{PASSWORD, TestApp};

/// A browser at one server.
#[derive(Clone)]
pub struct Browsing {
    http: reqwest::Client,
    url: String,
    cookies: Arc<Mutex<BTreeMap<String, String>>>,
    /// The address of the page that is shown, and its HTML.
    shown: Arc<Mutex<(String, String)>>,
    language: &'static str,
}

/// A page, or a redirect.
#[derive(Debug)]
pub struct Shown {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub html: String,
}

impl Shown {
    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status.as_u16(), status, "{}", self.html);
        self
    }

    /// Where a redirect leads.
    #[track_caller]
    pub fn location(&self) -> String {
        assert_eq!(self.status, StatusCode::SEE_OTHER, "{}", self.html);
        self.headers[LOCATION].to_str().expect("an address").to_owned()
    }
}

impl Browsing {
    /// A browser without any cookie.
    pub fn of(app: &TestApp) -> Self {
        let _installed = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build();
        Self {
            http: http.expect("a client"),
            url: app.url.clone(),
            cookies: Arc::default(),
            shown: Arc::default(),
            language: "en",
        }
    }

    /// The browser of a player who has logged in by the page.
    pub async fn log_in(app: &TestApp, handle: &str) -> Self {
        let browser = Self::of(app);
        browser.get("/log-in").await.expect(200);
        browser.post("/log-in", &[("login", handle), ("password", PASSWORD)]).await.expect(303);
        browser
    }

    /// The same browser, whose user reads another language.
    pub fn reading(mut self, language: &'static str) -> Self {
        self.language = language;
        self
    }

    pub fn cookies(&self) -> BTreeMap<String, String> {
        self.cookies.lock().expect("nobody panics").clone()
    }

    pub fn set_cookie(&self, name: &str, value: &str) {
        self.cookies.lock().expect("nobody panics").insert(name.to_owned(), value.to_owned());
    }

    pub async fn get(&self, path: &str) -> Shown {
        self.send(Method::GET, path, None, &[]).await
    }

    /// Sends a form with the token of the page that is shown.
    pub async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Shown {
        let token = self.token();
        let mut fields = fields.to_vec();
        fields.push(("csrf", &token));
        self.send(Method::POST, path, Some(&fields), &[("sec-fetch-site", "same-origin")]).await
    }

    /// The token in the page that is shown; empty if it has no form.
    pub fn token(&self) -> String {
        let shown = self.shown.lock().expect("nobody panics");
        let mut parts = shown.1.split("name=\"csrf\" value=\"");
        parts.nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default().to_owned()
    }

    pub async fn send(
        &self,
        method: Method,
        path: &str,
        form: Option<&[(&str, &str)]>,
        headers: &[(&str, &str)],
    ) -> Shown {
        let mut request = self.http.request(method, format!("{}{path}", self.url));
        request = request
            .header(ACCEPT, "text/html,application/xhtml+xml")
            .header("accept-language", self.language);
        let cookies: Vec<_> =
            self.cookies().into_iter().map(|(name, value)| format!("{name}={value}")).collect();
        if !cookies.is_empty() {
            request = request.header(COOKIE, cookies.join("; "));
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(fields) = form {
            let body = serde_urlencoded::to_string(fields).expect("a form");
            request = request.header(CONTENT_TYPE, "application/x-www-form-urlencoded").body(body);
        }
        let answer = request.send().await.expect("an answer");
        self.keep_cookies(answer.headers());
        let (status, headers) = (answer.status(), answer.headers().clone());
        let html = answer.text().await.expect("text");
        if status != StatusCode::SEE_OTHER {
            *self.shown.lock().expect("nobody panics") = (path.to_owned(), html.clone());
        }
        Shown { status, headers, html }
    }

    fn keep_cookies(&self, headers: &HeaderMap) {
        let mut cookies = self.cookies.lock().expect("nobody panics");
        for set in headers.get_all(SET_COOKIE) {
            let set = set.to_str().expect("text");
            let (name, value) = set.split(';').next().and_then(|pair| pair.split_once('=')).expect("a pair");
            if set.contains("Max-Age=0") {
                cookies.remove(name);
            } else {
                cookies.insert(name.to_owned(), value.to_owned());
            }
        }
    }
}
