import { defineCollection } from 'astro:content';
import type { z } from 'astro/zod';
import { type Collection, collections as files } from './content-check/collections.ts';
import { loadFiles } from './content-check/loader.ts';

function define<Schema extends z.ZodObject>(collection: Collection & { schema: Schema }) {
  return defineCollection({ loader: loadFiles(collection), schema: collection.schema });
}

/** The content files as Astro reads them. content-check/collections.ts says what each must contain. */
export const collections = {
  hero: define(files.hero),
  waitlistForm: define(files.waitlistForm),
  success: define(files.success),
  refusals: define(files.refusals),
  waitlist: define(files.waitlist),
  dropCard: define(files.dropCard),
  stages: define(files.stages),
  creators: define(files.creators),
  featuresSection: define(files.featuresSection),
  banner: define(files.banner),
  reasonsSection: define(files.reasonsSection),
  payoutSlip: define(files.payoutSlip),
  faqSection: define(files.faqSection),
  community: define(files.community),
  header: define(files.header),
  navigation: define(files.navigation),
  footer: define(files.footer),
  perks: define(files.perks),
  features: define(files.features),
  reasons: define(files.reasons),
  faq: define(files.faq),
  supportFaq: define(files.supportFaq),
  landing: define(files.landing),
  about: define(files.about),
  leave: define(files.leave),
  support: define(files.support),
  welcome: define(files.welcome),
  welcomeEmail: define(files.welcomeEmail),
  announcements: define(files.announcements),
  termsOfUse: define(files.termsOfUse),
  privacyPolicy: define(files.privacyPolicy),
};
