import { Fragment, type ReactNode } from 'react';
import type { ListItem, Nodes, Root } from 'mdast';
import { toString } from 'mdast-util-to-string';
import type { Values } from '../../shared/variables.ts';
import { readButton } from '../content-model/syntax.ts';
import { EmailDocument, EmailFrame, type FrameProps } from './EmailFrame.tsx';
import { Action, Heading, Link, List, Paragraph } from './EmailText.tsx';

interface AnnouncementProps extends Pick<
  FrameProps,
  'forward' | 'reason' | 'unsubscribe' | 'unsubscribeUrl' | 'reply' | 'replyLink'
> {
  subject: string;
  preview: string;
  /** The text, with facts filled in and without faults. */
  text: Root;
  /** The deployment that the links and contacts of the text belong to. */
  values: Values;
}

export function AnnouncementEmail({ subject, preview, text, values, ...frame }: AnnouncementProps) {
  const siteUrl = new URL(read('PUBLIC_SITE_URL', values)).origin;
  return (
    <EmailDocument subject={subject} preview={preview}>
      <EmailFrame {...frame} heading={subject} siteUrl={siteUrl}>
        {drawAll(text.children, values)}
      </EmailFrame>
    </EmailDocument>
  );
}

function drawAll(nodes: Nodes[], values: Values): ReactNode {
  return nodes.map((node, index) => <Fragment key={index}>{draw(node, values)}</Fragment>);
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
    case 'list':
      return (
        <List
          isNumbered={node.ordered === true}
          lines={node.children.map((item) => drawItem(item, values))}
        />
      );
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
