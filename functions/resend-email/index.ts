import { readConfig } from './config.ts';
import { fillHtml, fillText } from './fill-template.ts';
import { handleSignUp, type Services } from './handler.ts';
import { insertEntry } from './insert-entry.ts';
import { sendMessage } from './send-message.ts';
import { welcome } from './welcome.ts';

const config = readConfig((name) => Deno.env.get(name));

const services: Services = {
  siteOrigins: config.siteOrigins,
  publicKeys: config.publicKeys,
  async sendWelcome(address) {
    const values = { address, unsubscribeAddress: config.unsubscribeAddress };
    const message = {
      from: config.sender,
      to: address,
      subject: welcome.subject,
      html: fillHtml(welcome.html, values),
      text: fillText(welcome.text, values),
    };
    await sendMessage(message, config);
  },
  saveEntry: (address) => insertEntry(address, config.supabaseUrl, config.publicKeys[0]!),
  log: (line) => console.error(line),
};

Deno.serve((request) => handleSignUp(request, services));
