-- One word for hosts that do not answer and hosts that nothing is sent to: the difference told which names there are inside.
update webhook_deliveries set outcome = 'unreachable', milliseconds = 0 where outcome = 'not_allowed';
