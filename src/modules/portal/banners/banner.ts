import { choice, date, flag, instant, integer, longText, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { type Instant, londonDate } from '#kernel/time.ts'
import { SERVER_ONLY_FIELD } from '../files/uploaded-document.ts'
import { BANNER_MANAGER_ROLE } from '../nav.ts'

/** URL for uploading a picture; `?banner=` contains the banner ID. */
export const BANNER_UPLOAD_PATH = '/api/crm/alert_banners_upload'

/** Maximum length of the alternative text, in characters. */
export const MAX_IMAGE_TEXT = 200

const AUDIENCES = [
  { value: 'everybody', label: 'Everyone' },
  { value: 'clients', label: 'Clients’ users' },
  { value: 'staff', label: 'Provider’s users' },
] as const

/**
 * A message from the provider, shown above or below the dashboard to the users in its audience. There are exactly two
 * banners.
 */
export const alertBanner = resource({
  type: 'AlertBanner',
  service: 'crm',
  path: 'alert_banners',
  table: 'alert_banner',
  tenant: 'shared',
  title: 'title',
  order: ['-id'],
  unpaginated: true,
  fields: {
    kind: choice(
      [
        { value: 'info', label: 'Information' },
        { value: 'promo', label: 'Promotion' },
      ],
      { readonly: true, default: 'info', filter: true },
    ),
    title: text({ default: '', max: 120, stripInvisible: true }),
    message: longText({ default: '', max: 600 }),
    linkTo: text({
      default: '',
      max: 300,
      label: 'Link',
      help: 'A page in the portal, such as /help, or a URL that begins with https://.',
      pattern: {
        regex: /^(\/(?![/\\])\S*|https:\/\/[^\s/]+\S*)?$/,
        message: 'Please enter a page in the portal, such as /help, or a URL that begins with https://',
      },
    }),
    linkWords: text({ default: '', max: 60, label: 'Link text' }),
    audience: choice(AUDIENCES, { default: 'everybody', label: 'Audience' }),
    from: date({ column: 'first_day', label: 'First day', help: 'Shown from the start of this day, London time.' }),
    until: date({ column: 'last_day', label: 'Last day', help: 'Shown until the end of this day, London time.' }),
    shown: flag({ label: 'Show banner', filter: true }),
    image: text({
      readonly: true,
      sql: "CASE WHEN t.image_key IS NOT NULL THEN '/api/crm/alert_banners/' || t.id || '/image?version=' || right(t.image_key, 12) END",
    }),
    imageText: text({
      default: '',
      max: MAX_IMAGE_TEXT,
      label: 'Alternative text',
      help: 'For people who can’t see the picture.',
    }),
    imageWidth: integer({ readonly: true }),
    imageHeight: integer({ readonly: true }),
    imageKey: text(SERVER_ONLY_FIELD),
    imageType: text(SERVER_ONLY_FIELD),
    lastEditBy: text({ readonly: true, stamp: 'editor', label: 'Changed by', person: true }),
    updatedAt: instant({ readonly: true, stamp: 'updated' }),
  },
  allow: { read: 'ROLE_STAFF', update: BANNER_MANAGER_ROLE },
  actions: {
    removePicture: { path: 'remove_picture', title: 'Remove picture', allow: BANNER_MANAGER_ROLE, input: {} },
  },
})

/** Fields that determine whether a banner is shown. */
interface Scheduled {
  readonly shown: boolean
  readonly audience: string
  readonly from: string | null
  readonly until: string | null
}

/**
 * Returns true if the banner is currently shown to a client's users. Dates are in London time; the first and last dates
 * are included.
 */
export function isBannerVisibleTo(banner: Scheduled, clientId: number, at: Instant): boolean {
  const today = londonDate(at).toString()
  const isFor = banner.audience === 'everybody' || (banner.audience === 'staff') === (clientId === PROVIDER_CLIENT_ID)
  return banner.shown && isFor && (banner.from ?? today) <= today && today <= (banner.until ?? today)
}

/** Returns a banner's status, as shown to its managers. */
export function bannerStatus(
  banner: Omit<Scheduled, 'audience'>,
  at: Instant,
): 'hidden' | 'to come' | 'shown' | 'over' {
  const today = londonDate(at).toString()
  if (!banner.shown) return 'hidden'
  if (banner.from && today < banner.from) return 'to come'
  return banner.until && banner.until < today ? 'over' : 'shown'
}
