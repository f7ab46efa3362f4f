import { escapeHtml as escape } from '../../shared/escape-html.ts';

export interface Message {
  id: string;
  to: string[];
  subject: string;
  html?: string;
  headers?: Record<string, string>;
}

/** Returns what somebody posted as a message; `undefined` when the pages could not show it. Like Resend, `to` may be one address. */
export function readMessage(posted: object): Message | undefined {
  const { to, ...message } = posted as Message;
  const recipients = [to].flat();
  const texts = [...recipients, message.subject, message.html ?? '', ...Object.values(message.headers ?? {})];
  return texts.every((text) => typeof text === 'string') ? { ...message, to: recipients } : undefined;
}

/** Writes the page with all messages, the newest first. */
export function writeList(messages: Message[]): string {
  const items = messages.map(
    ({ id, to, subject }) => `<p><a href="/inbox/${id}">${escape(subject)}</a> to ${escape(to.join(', '))}`,
  );
  return writePage('Inbox', items.toReversed().join('') || '<p>No messages yet.');
}

/** Writes the page of a message: its headers, with a link for each URL, and the message as a mail program shows it. */
export function writeMessage({ to, subject, html = '', headers = {} }: Message): string {
  const lines = Object.entries({ To: to.join(', '), ...headers }).map(
    ([name, value]) => `<br>${escape(name)}: ${linkUrls(value)}`,
  );
  const preview = escape(`<base target="_blank">${html}`);
  const sandbox = 'allow-popups allow-popups-to-escape-sandbox';
  return writePage(
    subject,
    `${lines.join('')}<p><iframe sandbox="${sandbox}" srcdoc="${preview}" width="100%" height="900"></iframe>`,
  );
}

function writePage(title: string, body: string): string {
  const heading = escape(title);
  return `<!doctype html><title>${heading}</title><body style="font:16px system-ui; overflow-wrap:anywhere"><h1>${heading}</h1>${body}`;
}

/** RFC 2369 puts each URL in angle brackets. */
function linkUrls(value: string): string {
  return escape(value).replace(/&lt;((?:https?|mailto):.*?)&gt;/g, '&lt;<a href="$1">$1</a>&gt;');
}
