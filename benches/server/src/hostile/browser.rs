//! A browser as an attacker has one: its cookies, and the token of its forms.

use std::net::SocketAddr;

use anyhow::Context;

use super::anonymous::FORM;
use super::request::Request;
use crate::client::Connection;

/// What precedes the token in a page.
const TOKEN_FIELD: &str = "name=\"csrf\" value=\"";

/// A page with a form that anybody may open, and one for members.
const PAGE: &str = "/log-in";
const PAGE_OF_MEMBERS: &str = "/device";

/// A browser at one server.
#[derive(Clone, Debug)]
pub struct Browser {
    cookies: Vec<String>,
    /// The token of its forms.
    csrf: String,
}

impl Browser {
    /// A browser that has seen a page with a form.
    ///
    /// # Errors
    /// The server showed none.
    pub async fn open(server: SocketAddr) -> anyhow::Result<Self> {
        let mut browser = Self { cookies: Vec::new(), csrf: String::new() };
        browser.see(server, PAGE).await?;
        Ok(browser)
    }

    /// The browser of somebody who has logged in.
    ///
    /// # Errors
    /// The server did not let them in.
    pub async fn log_in(server: SocketAddr, login: &str, password: &str) -> anyhow::Result<Self> {
        let mut browser = Self::open(server).await?;
        let fields = format!("login={login}&password={}", password.replace(' ', "+"));
        let request = browser.post(PAGE, &fields);
        let mut connection = Connection::open(server).await?;
        let answer = connection.send(&request.bytes()).await?;
        anyhow::ensure!(answer.status == 303, "logging in: {} {}", answer.status, connection.text());
        browser.keep_cookies(&connection);
        browser.see(server, PAGE_OF_MEMBERS).await?;
        Ok(browser)
    }

    async fn see(&mut self, server: SocketAddr, path: &str) -> anyhow::Result<()> {
        let mut connection = Connection::open(server).await?;
        connection.expect(&self.get(path).bytes()).await?;
        self.keep_cookies(&connection);
        let page = connection.text();
        let token = page.split(TOKEN_FIELD).nth(1).and_then(|rest| rest.split('"').next());
        token.context("a page with a form")?.clone_into(&mut self.csrf);
        Ok(())
    }

    fn keep_cookies(&mut self, connection: &Connection) {
        for set in connection.header("set-cookie") {
            let pair = set.split(';').next().unwrap_or_default();
            let name = pair.split('=').next().unwrap_or_default();
            self.cookies.retain(|kept| kept.split('=').next() != Some(name));
            self.cookies.push(pair.to_owned());
        }
    }

    fn cookie(&self, request: Request) -> Request {
        if self.cookies.is_empty() { request } else { request.header("Cookie", self.cookies.join("; ")) }
    }

    /// A page of this browser.
    #[must_use]
    pub fn get(&self, target: &str) -> Request {
        self.cookie(Request::get(target).header("Accept", "text/html"))
    }

    /// A form with these fields, as they are encoded, from a page of this browser.
    #[must_use]
    pub fn post(&self, target: &str, fields: &str) -> Request {
        let request = self.cookie(Request::new("POST", target).header("Accept", "text/html"));
        request.header("Sec-Fetch-Site", "same-origin").body(FORM, format!("{fields}&csrf={}", self.csrf))
    }
}
