import { createElement, Fragment, type ReactNode } from 'react';
import type { ListItem, Nodes, Root } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { blanks } from '../../shared/fill-template.ts';
import type { Values } from '../../shared/variables.ts';
import type { Fields } from '../content-model/collections.ts';
import { readButton } from '../content-model/syntax.ts';
import { EmailDocument, EmailFrame } from './EmailFrame.tsx';
import { Action, Heading, Link, List, Paragraph } from './EmailText.tsx';

interface AnnouncementProps {
  fields: Fields<'announcements'>;
  /** The text, with facts filled in and without faults. */
  text: Root;
  /** The deployment that the links and contacts of the text belong to. */
  values: Values;
  welcome: Fields<'welcomeEmail'>;
}

export function AnnouncementEmail({ fields, text, values, welcome }: AnnouncementProps) {
  const siteUrl = new URL(read('PUBLIC_SITE_URL', values)).origin;
  const { address, unsubscribeUrl } = blanks;
  const frame = { words: welcome, siteUrl, address, unsubscribeUrl };
  const [first, ...others] = text.children;
  const isLede = first?.type === 'paragraph' && !readButton(first);
  return (
    <EmailDocument subject={fields.subject} preview={fields.preview}>
      <EmailFrame {...frame} heading={fields.subject}>
        {isLede && <Paragraph size="large">{drawAll(first.children, values)}</Paragraph>}
        {drawAll(isLede ? others : text.children, values)}
      </EmailFrame>
    </EmailDocument>
  );
}

/** Draws nodes one after the other, without keys, because their order never changes. */
function drawAll(nodes: Nodes[], values: Values): ReactNode {
  return createElement(Fragment, null, ...nodes.map((node) => draw(node, values)));
}

function draw(node: Nodes, values: Values): ReactNode {
  switch (node.type) {
    case 'text':
      return node.value;
    case 'strong':
      return <strong>{drawAll(node.children, values)}</strong>;
    case 'emphasis':
      return <em>{drawAll(node.children, values)}</em>;
    case 'break':
      return <br />;
    case 'heading':
      return <Heading>{drawAll(node.children, values)}</Heading>;
    case 'list': {
      const lines = node.children.map((item) => drawItem(item, values));
      return <List start={node.start ?? undefined} lines={lines} />;
    }
    case 'paragraph': {
      const button = readButton(node);
      if (!button) return <Paragraph>{drawAll(node.children, values)}</Paragraph>;
      return <Action href={findUrl(button.url, values)}>{toString(button).trim()}</Action>;
    }
    case 'link':
      return <Link href={findUrl(node.url, values)}>{drawAll(node.children, values)}</Link>;
    case 'mdxJsxTextElement': {
      if (node.name === 'SupportPhone') return read('PUBLIC_SUPPORT_PHONE', values);
      if (node.name === 'PostalAddress') return read('PUBLIC_POSTAL_ADDRESS', values);
      const address = read('PUBLIC_SUPPORT_EMAIL', values);
      return <Link href={`mailto:${address}`}>{address}</Link>;
    }
    default:
      throw new Error(`An email cannot contain ${node.type}.`);
  }
}

function drawItem({ children }: ListItem, values: Values): ReactNode {
  return children.map((child, index) => (
    <Fragment key={index}>
      {index > 0 && child.type === 'paragraph' && <br />}
      {child.type === 'paragraph' ? drawAll(child.children, values) : draw(child, values)}
    </Fragment>
  ));
}

/** Returns the absolute URL of a link, because a path means nothing in an email. */
function findUrl(url: string, values: Values): string {
  return /^\w+:/.test(url) ? url : new URL(url, read('PUBLIC_SITE_URL', values)).href;
}

function read(name: keyof Values, values: Values): string {
  const value = values[name];
  if (!value)
    throw new Error(
      `${name} is missing, but the announcement needs it. Set it in the environment or in .env.`,
    );
  return value;
}
