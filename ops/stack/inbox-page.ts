import type { Message } from '../../functions/resend-email/send-message.ts';
import { escapeHtml as escape } from '../../shared/escape-html.ts';

/** Writes the page with all messages, the newest first. */
export function writeInbox(messages: Message[]): string {
  const items = messages.map(writeMessage).toReversed().join('') || '<p>No messages yet.';
  return `<!doctype html><title>Inbox</title><body style="font:16px system-ui; overflow-wrap:anywhere"><h1>Inbox</h1>${items}`;
}

/** Writes a message, which opens on a click: its headers, with a link for each URL, and what a mail program shows. */
function writeMessage({ to, subject, html, headers }: Message): string {
  const lines = Object.entries(headers).map(([name, value]) => `<p>${escape(name)}: ${linkUrls(value)}`);
  const preview = escape(`<base target="_blank">${html}`);
  const sandbox = 'allow-popups allow-popups-to-escape-sandbox';
  return `<details><summary>${escape(subject)} to ${escape(to.join(', '))}</summary>${lines.join('')}
    <p><iframe sandbox="${sandbox}" srcdoc="${preview}" width="100%" height="900"></iframe></details>`;
}

/** RFC 2369 puts each URL in angle brackets. */
function linkUrls(value: string): string {
  return escape(value).replace(/&#60;((?:https?|mailto):.*?)&#62;/g, '&#60;<a href="$1">$1</a>&#62;');
}
