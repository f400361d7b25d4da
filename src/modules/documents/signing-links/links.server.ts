import { create as disposition } from 'content-disposition'
import encodeQR from 'qr'
import { problem, violation } from '#kernel/errors.ts'
import type { ValuesOf } from '#kernel/resource.ts'
import { londonDate, parseLeadingDate } from '#kernel/time.ts'
import { readLetterhead, readLogo } from '#modules/portal/letterhead/letterhead.server.ts'
import { secretSealerFor } from '#server/auth/sealing.ts'
import { type RouteContext, RouteResponse } from '#server/engine/route.ts'
import { createSecretLink, secretLinkUrl } from '#server/engine/secret-links.ts'
import type { Context } from '#server/engine/types.ts'
import { renderPdf } from '#server/pdf/render.ts'
import type { signature } from '../types/document.ts'
import { MAX_LINK_SIGNATURES, type SigningLinkState } from './signing-link.ts'

interface StoredLink {
  readonly id: number
  readonly sealed: string
  readonly until: string
  readonly withdrawnAt: string | null
}

/** A link's page, and the purpose under which its secret is encrypted. */
interface LinkPlace {
  /** Path of the page, such as `/talk`. */
  readonly page: string
  readonly purpose: string
}

type Reading = Pick<Context, 'engine' | 'clientId'>

/** Finds the newest link that has neither been withdrawn nor expired. */
function findOpenLink<L extends StoredLink>({ engine }: Pick<Reading, 'engine'>, links: readonly L[]): L | undefined {
  const today = londonDate(engine.clock.now()).toString()
  return links.toSorted((a, b) => b.id - a.id).find(({ withdrawnAt, until }) => !withdrawnAt && until >= today)
}

/** Returns the last day of a new link. Throws 422 if it is not a date, past or too late. `most`: days ahead at most. */
export function readLastDay(
  now: Temporal.Instant,
  given: string | null | undefined,
  { usual, most }: { readonly usual: number; readonly most: number },
): string {
  const today = londonDate(now)
  if (!given) return today.add({ days: usual }).toString()
  const until = parseLeadingDate(given)
  const refuse = (message: string) => problem.invalid([violation('until', message)])
  if (until === undefined) throw refuse('The expiry date must be a date such as 2026-02-28')
  if (until < today.toString()) throw refuse('This date is in the past. Please choose a later one.')
  if (until > today.add({ days: most }).toString())
    throw refuse(`This link can be valid for at most ${most} days. Please choose an earlier date.`)
  return until
}

/** Creates the secret of a link whose QR code can be shown again: its hash, and the encrypted secret. */
export function createPosterSecret({ engine }: Pick<Reading, 'engine'>, purpose: string) {
  const { hash, secret } = createSecretLink(engine.config)
  return { hash, sealed: secretSealerFor(engine.config).seal(secret, purpose) }
}

/** Returns the address of a link; undefined if its secret can no longer be decrypted, because its key was removed. */
function linkAddress({ engine, clientId }: Reading, { id, sealed }: StoredLink, { page, purpose }: LinkPlace) {
  try {
    const secret = secretSealerFor(engine.config).open(sealed, purpose)
    return secretLinkUrl(engine.config, page, clientId, id, secret)
  } catch {
    return undefined
  }
}

/**
 * Returns a link as the person who manages it sees it. One that can't be shown again is returned as null. `maxSignatures`:
 * the number of signatures or answers after which a link ends; null if it doesn't end by number.
 */
export function signingLinkState(
  c: Reading,
  about: Pick<SigningLinkState, '@id' | '@type'>,
  links: readonly (StoredLink & { readonly signed: number })[],
  place: LinkPlace,
  maxSignatures: number | null = MAX_LINK_SIGNATURES,
): SigningLinkState {
  const link = findOpenLink(
    c,
    links.filter(({ signed }) => signed < (maxSignatures ?? Number.POSITIVE_INFINITY)),
  )
  const address = link && linkAddress(c, link, place)
  if (!link || !address) return { ...about, link: null }
  return { ...about, link: { address, until: link.until, signed: link.signed, maxSignatures } }
}

interface Poster {
  /** Type of the document or form, such as `Toolbox talk`. */
  readonly what: string
  readonly called: string
  readonly about: string
  readonly invite: string
  readonly how: string
  readonly address: string
  /** Last day of validity. */
  readonly until: string
}

/** Renders an A4 page with the QR code of a link. */
export async function renderLinkPoster(c: RouteContext, { address, called, ...said }: Poster): Promise<RouteResponse> {
  const letterhead = await readLetterhead(c.engine, c.me.clientId)
  const { client: own, brand } = letterhead
  const logo = await readLogo(c.engine, letterhead)
  const qr = Buffer.from(encodeQR(address, 'gif', { ecc: 'medium', border: 2, scale: 12 }))
  const pdf = await renderPdf({
    template: new URL('./poster.typ', import.meta.url),
    client: c.me.clientId,
    title: `Poster ${called}`,
    data: {
      sender: { brand, client: { ...own, name: own.name || brand.name, logo } },
      called,
      address,
      ...said,
      qr: { base64: qr.toString('base64'), alt: `QR code that opens ${address}` },
    },
  })
  return new RouteResponse(200, pdf, {
    'content-type': 'application/pdf',
    'content-disposition': disposition(`Poster ${called.slice(0, 100)}.pdf`, { type: 'inline' }),
  })
}

type Employer = Pick<ValuesOf<typeof signature>, 'company' | 'trade'>

/** Throws 409 if a signature sent again with the same drawing states another company or trade than the stored one. */
export function assertSameEmployer(stored: Employer & { readonly name?: string | null }, given: Employer): void {
  if (stored.company === given.company && stored.trade === given.trade) return
  throw problem.conflict(
    `The signature of ${stored.name} has already been saved with another company or trade and can’t be changed.`,
  )
}
