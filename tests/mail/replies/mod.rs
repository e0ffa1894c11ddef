//! Playing by answering mails: incoming mails, their effects, and the answers.

mod acting;
mod asking;
mod bouncing;
mod confirming;
mod corpus;
mod counted;
mod forged;
mod german;
mod in_vain;
mod linear;
mod lines;
mod lmtp;
mod pausing;
mod playing;
mod reading;
mod refusing;
mod requests;
mod standing;
mod talking;
mod unread;
mod words;

use support::post::{Got, Post, Sent, deliver, deliver_raw};
