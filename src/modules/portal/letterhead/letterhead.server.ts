import { resolveSetting } from '#kernel/effective-setting.ts'
import { problem, violation } from '#kernel/errors.ts'
import { choice } from '#kernel/fields.ts'
import type { RowOf } from '#kernel/resource.ts'
import { hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { toText } from '#kernel/text.ts'
import { londonDate } from '#kernel/time.ts'
import { TEMPLATE_MANAGER_ROLES } from '#modules/documents/rights.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import { type Route, type RouteContext, RouteResponse } from '#server/engine/route.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import type { PdfPicture } from '#server/pdf/furniture.ts'
import { renderControlledDocument, renderControlledDocumentSvg } from '#server/pdf/furniture.ts'
import { renderLogoOnBackground } from '#server/pictures/display-versions.ts'
import type { LogoBackground } from '#server/pictures/logo-contrast.ts'
import { findClientBrandName } from '../clients/client.server.ts'
import { client } from '../clients/client.ts'
import { uploadedDocument } from '../files/uploaded-document.ts'
import { readPictures, type StoredPicture } from '../files/versions.server.ts'
import { LETTERHEAD_MANAGER_ROLES, letterhead } from './letterhead.ts'

/** A stored logo and its background, which is white if not set. */
interface StoredLogo extends StoredPicture {
  readonly ground?: 'dark'
}

export interface Letterhead {
  readonly client: {
    readonly name: string
    readonly address?: string
    readonly logo?: StoredLogo
    /** Header line that the company has set for every page. */
    readonly header?: string
    readonly footer?: string
  }
  /**
   * Brand: the reseller's for resellers and their clients, otherwise the provider's. Only its name is printed, because
   * the logo is the client's own.
   */
  readonly brand: { readonly name: string }
}

/** Header and footer lines of a letterhead; `null` removes a line. */
interface Lines {
  readonly header?: string | null | undefined
  readonly footer?: string | null | undefined
}

/** Reads a client's letterhead. Lines in `instead` replace the stored ones. */
export async function readLetterhead(engine: Engine, clientId: number, instead: Lines = {}): Promise<Letterhead> {
  const { own, head, logo } = await engine.readIn(clientId, 'read a letterhead', async (c) => {
    const own = await c.get(client, clientId)
    const [head] = await c.find(letterhead, {})
    return { own, head, logo: await findLogo(c, head, own?.company ?? '') }
  })
  const providers = await linesOfProvider(engine, clientId)
  const header = resolveSetting(
    instead.header === undefined ? head?.header : instead.header,
    providers?.header,
    '',
  ).value
  const footer = resolveSetting(
    instead.footer === undefined ? head?.footer : instead.footer,
    providers?.footer,
    '',
  ).value
  const address = own ? formatClientAddress(own) : ''
  return {
    client: {
      name: own?.company ?? '',
      ...(address ? { address } : {}),
      ...(logo ? { logo } : {}),
      ...(header ? { header } : {}),
      ...(footer ? { footer } : {}),
    },
    brand: { name: await findClientBrandName(engine, own) },
  }
}

/** Formats a client's address on one line. */
export const formatClientAddress = (own: RowOf<typeof client>): string =>
  [own.address1, own.address2, own.city, own.county, own.postcode].filter(Boolean).join(', ')

type Head = RowOf<typeof letterhead>

/**
 * Reads the provider's letterhead, or returns undefined for the provider itself. The provider's lines are the default
 * for all other companies, but its logo is not.
 */
const linesOfProvider = async (engine: Engine, clientId: number): Promise<Head | undefined> =>
  clientId === PROVIDER_CLIENT_ID
    ? undefined
    : (await engine.readIn(PROVIDER_CLIENT_ID, 'read the default letterhead lines', (c) => c.find(letterhead, {})))[0]

/** Finds a logo's thumbnail, which has sufficient resolution because logos are printed at most 5 cm wide. */
async function findLogo(
  c: Pick<Context, 'get'>,
  head: Head | undefined,
  company: string,
): Promise<StoredLogo | undefined> {
  const file = head?.logo ? await c.get(uploadedDocument, head.logo) : undefined
  if (!file?.thumbnailKey) return undefined
  const ground = head?.logoGround === 'dark' ? ({ ground: 'dark' } as const) : {}
  return { key: file.thumbnailKey, caption: head?.logoText || company || 'Logo', ...ground }
}

/**
 * Reads a letterhead's logo for printing. Returns undefined if there is none. If its bytes are missing, returns
 * undefined too or, if `all` is true, throws 404.
 */
export async function readLogo(
  engine: Engine,
  { client: { logo } }: Letterhead,
  all = false,
): Promise<PdfPicture | undefined> {
  const [shown] = await readPictures(engine, logo ? [logo] : [], all)
  if (!shown) return undefined
  const { base64, caption: alt } = shown
  if (!logo?.ground) return { base64, alt }
  const { picture } = await renderLogoOnBackground(Buffer.from(base64, 'base64'), logo.ground)
  return { base64: Buffer.from(picture).toString('base64'), alt }
}

/**
 * Creates the route for the logo of the company that issued a link. `whose` completes the title “Get the logo of the
 * company …”.
 */
export const linkLogoRoute = (
  at: string,
  whose: string,
  resolve: (engine: Engine, token: string | undefined) => Promise<{ readonly clientId: number }>,
): Route => ({
  method: 'GET',
  path: `${at}/logo`,
  title: `Get the logo of the company ${whose}`,
  allow: 'anonymous',
  file: ['image/webp'],
  handle: async (c) => {
    const { clientId } = await resolve(c.engine, c.params.token)
    const logo = await readLogo(c.engine, await readLetterhead(c.engine, clientId))
    if (!logo) throw problem.notFound('No logo is set.')
    return new RouteResponse(200, Buffer.from(logo.base64, 'base64'), { 'content-type': 'image/webp' })
  },
})

/** Minimum length of a logo's shorter side, in pixels. Smaller logos are unrecognisable in print. */
const SMALLEST = 40
const SLIMMEST = 8

/** Throws 422 if the file can't be used as a logo. */
async function assertLogo(c: Context, id: number): Promise<void> {
  const file = await c.get(uploadedDocument, id)
  const refuse = (message: string) => problem.invalid([violation('logo', message)])
  if (!file || file.client !== c.clientId || file.retired) throw refuse('Please choose a picture from your own files')
  const { width, height, thumbnailKey } = file
  if (!width || !height || !thumbnailKey) throw refuse('Please choose a picture, such as a PNG or JPEG file')
  if (Math.min(width, height) < SMALLEST)
    throw refuse(
      `This picture is too small to print: ${width} × ${height} pixels. The width and the height must each be at least ${SMALLEST} pixels`,
    )
  if (Math.max(width, height) > SLIMMEST * Math.min(width, height))
    throw refuse(
      `This picture is too long and thin for a letterhead: one side is more than ${SLIMMEST} times as long as the other`,
    )
}

const GROUND_WORDS = { white: 'white paper', dark: 'a dark background' } as const

/** Throws 422 if a logo is barely visible when rendered on its background. */
async function assertSeen(c: Context, id: number, ground: LogoBackground): Promise<void> {
  const file = await c.get(uploadedDocument, id)
  const [shown] = await readPictures(c.engine, file?.thumbnailKey ? [{ key: file.thumbnailKey, caption: '' }] : [])
  if (!shown) return
  const { seen, share } = await renderLogoOnBackground(Buffer.from(shown.base64, 'base64'), ground, c.clientId)
  if (seen) return
  const other = ground === 'white' ? 'print it on a dark background' : 'print it on white'
  const part = share < 0.005 ? 'Nothing' : `No more than ${Math.ceil(share * 100)}%`
  throw problem.invalid([
    violation(
      'logoGround',
      `${part} of this logo stands out from ${GROUND_WORDS[ground]}, so it could hardly be seen. Please ${other}, or choose another picture`,
    ),
  ])
}

/** Throws 403 if the change affects the defaults for all companies and the actor doesn't have the required role. */
function requireKeeper({ actor, clientId, changes }: Pick<Context, 'actor' | 'clientId'> & { changes: object }): void {
  if (
    clientId === PROVIDER_CLIENT_ID &&
    ('header' in changes || 'footer' in changes) &&
    !hasRole(actor, TEMPLATE_MANAGER_ROLES)
  )
    throw problem.forbidden('Only the provider’s safety administrators can change the defaults for all companies.')
}

const letterheadBehaviour = behaviour(letterhead, {
  beforeSave: async (c) => {
    if (!c.before && (await c.exists(letterhead, {})))
      throw problem.conflict('Your company already has a letterhead. Please change the existing letterhead.')
    requireKeeper(c)
    const { logo, logoGround } = c.values
    if (typeof c.changes.logo === 'number') await assertLogo(c, c.changes.logo)
    if (typeof logo === 'number' && (c.changes.logo !== undefined || c.changes.logoGround !== undefined))
      await assertSeen(c, logo, logoGround === 'dark' ? 'dark' : 'white')
    return undefined
  },
})

const { header, footer } = letterhead.fields
const query = {
  header,
  footer,
  logoGround: choice([
    { value: 'white', label: 'White' },
    { value: 'dark', label: 'Dark' },
  ]),
}

type SampleRequestContext = Pick<RouteContext, 'query' | 'me'>

/** Builds the sample page from the company's letterhead, with the unsaved lines and logo background in the query. */
async function sampleOf(engine: Engine, { query: asked, me }: SampleRequestContext) {
  const said = (name: 'header' | 'footer') =>
    asked[name] === undefined ? undefined : toText(asked[name]).slice(0, header.max) || null
  const kept = await readLetterhead(engine, me.clientId, { header: said('header'), footer: said('footer') })
  const { logo: stored, ...rest } = kept.client
  const { ground, ...plain } = stored ?? { ground: undefined, key: '', caption: '' }
  const dark = asked.logoGround === undefined ? ground === 'dark' : asked.logoGround === 'dark'
  const logo =
    stored &&
    (await readLogo(engine, { ...kept, client: { ...rest, logo: { ...plain, ...(dark ? { ground: 'dark' } : {}) } } }))
  const today = londonDate(engine.clock.now())
  return {
    template: new URL('./sample.typ', import.meta.url),
    client: me.clientId,
    furniture: {
      number: 'RA-0042',
      revision: 2,
      state: 'current' as const,
      kindName: 'Risk assessment',
      title: 'Sample page',
      client: { ...rest, logo },
      brand: kept.brand,
      author: 'Ada Author',
      createdOn: today.toString(),
      completedOn: today.toString(),
      approvedBy: 'Sam Second',
      approvedOn: today.toString(),
      reviewDue: today.add({ months: 12 }).toString(),
      signatures: [],
      history: [],
    },
    body: {},
  }
}

const sample = (path: string, title: string, type: string, make: typeof renderControlledDocument): Route => ({
  method: 'GET',
  path: `${letterhead.url}/${path}`,
  title,
  allow: LETTERHEAD_MANAGER_ROLES,
  query,
  file: [type],
  handle: async (c) =>
    new RouteResponse(200, await make(await sampleOf(c.engine, c)), {
      'content-type': type,
      'content-disposition': `inline; filename="sample.${path.split('.')[1]}"`,
    }),
})

/** Routes for a sample page with unsaved values. The sample is printed in the same way as documents. */
const sampleRoutes = [
  sample(
    'sample.svg',
    'Get a sample page of a company’s documents, as a picture',
    'image/svg+xml',
    renderControlledDocumentSvg,
  ),
  sample(
    'sample.pdf',
    'Get a sample page of a company’s documents, as a PDF',
    'application/pdf',
    renderControlledDocument,
  ),
]

export const letterheads = feature({
  resources: [letterhead],
  behaviours: [letterheadBehaviour],
  routes: sampleRoutes,
})
