import { create as disposition } from 'content-disposition'
import encodeQR from 'qr'
import { FORBIDDEN_DURING_IMPERSONATION_MESSAGE } from '#kernel/can.ts'
import { problem } from '#kernel/errors.ts'
import { londonDate } from '#kernel/time.ts'
import { readLetterhead, readLogo } from '#modules/portal/letterhead/letterhead.server.ts'
import {
  type AttemptLimit,
  type CountedAttempt,
  countAttempt,
  networkForAddress,
  requireAttemptLeft,
} from '#server/auth/attempts.ts'
import { secretSealerFor } from '#server/auth/sealing.ts'
import { type RouteContext, RouteResponse } from '#server/engine/route.ts'
import { createSecretLink, secretLinkUrl } from '#server/engine/secret-links.ts'
import type { Context } from '#server/engine/types.ts'
import { renderPdf } from '#server/pdf/render.ts'
import { MAX_LINK_SIGNATURES, type SigningLinkState } from './signing-link.ts'

/** Attempts to sign or answer by link from one network. A whole site may share one network. */
const FROM_NETWORK: AttemptLimit = { free: 60, most: 300, minutes: 60 }
/** Errors from one network that reveal that a name is known. */
const KNOWN_NAMES: AttemptLimit = { free: 10, most: 30, minutes: 60 }

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

/**
 * Counts an attempt to sign or answer by a link. Throws 403 during impersonation, 409 for the company's own people and 429
 * after too many attempts from one network. `what` completes the sentence “Please … under your own account.” Returns the
 * attempt to count when an error reveals that a name is known.
 */
export async function countLinkAttempt(
  c: RouteContext,
  clientId: number,
  link: string,
  what: string,
): Promise<CountedAttempt> {
  if (c.actor?.original) throw problem.forbidden(FORBIDDEN_DURING_IMPERSONATION_MESSAGE, 'in_person')
  if (c.actor?.clientId === clientId)
    throw problem.conflict(`You are signed in to the portal. Please ${what} under your own account.`)
  const network = networkForAddress(c.request.address)
  const tried = { key: `${link} from ${network}`, pace: KNOWN_NAMES }
  await c.engine.db.tx('system', async (tx) => {
    await requireAttemptLeft(tx, tried)
    await countAttempt(tx, [{ key: `link-from:${network}`, pace: FROM_NETWORK }])
  })
  return tried
}
