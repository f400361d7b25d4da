import { instant, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { type HmrcReturn, VAT_BOXES, type VatFigures } from './vat-return.ts'

/** A client's authority at HMRC, with sealed tokens. Internal to the portal. */
export const hmrcConnection = resource({
  type: 'HmrcConnection',
  service: 'financial',
  path: 'hmrc_connections',
  table: 'hmrc_connection',
  tenant: 'own',
  fields: {
    /** Nine digits of the VAT number. */
    vrn: text({ required: true }),
    sealedAccess: text({ required: true, visible: 'nobody' }),
    sealedRefresh: text({ required: true, visible: 'nobody' }),
    /** Time at which the access token expires. */
    expiresAt: instant({ required: true, notNull: true }),
    author: text({ readonly: true, notNull: true, stamp: 'author', default: '', person: true }),
    createdAt: instant({ readonly: true, notNull: true }),
    updatedAt: instant({ readonly: true, notNull: true, stamp: 'updated' }),
  },
  allow: { read: 'nobody' },
})

/** Response of `GET hmrc`. */
export interface HmrcStatus {
  readonly configured: boolean
  readonly connected: boolean
  /** Nine digits of the seller's VAT number; empty if it has none. */
  readonly vrn: string
  readonly connectedBy: string
  readonly connectedAt: string | null
  /** Sentence about the next requirement for filing with HMRC; empty if nothing is missing. */
  readonly missing: string
}

/** A VAT period at HMRC: `O` is open, `F` has a return. */
export interface HmrcObligation {
  readonly periodKey: string
  readonly start: string
  readonly end: string
  readonly due: string
  readonly status: 'O' | 'F'
  readonly received?: string
}

/** Facts that only the browser knows, for HMRC's fraud-prevention headers. Unknown facts are left out. */
export interface HmrcBrowserFacts {
  /** Identifier of this browser, created once and stored in it. */
  readonly deviceId?: string
  readonly userAgent?: string
  /** Offset from UTC, such as `+01:00`. */
  readonly timezone?: string
  readonly screen?: {
    readonly width: number
    readonly height: number
    readonly scalingFactor: number
    readonly colourDepth: number
  }
  readonly window?: { readonly width: number; readonly height: number }
}

/** The declaration that HMRC requires software to show before a return is sent. */
export const HMRC_DECLARATION =
  'When you submit this VAT information you are making a legal declaration that the information is true and complete. A false declaration can result in prosecution.'

const PENNIES_PER_POUND = 100
const pounds = (pence: number) => pence / PENNIES_PER_POUND
/** Drops the pence, as HMRC requires for boxes 6 to 9. Adding 0 turns −0 into 0. */
const wholePounds = (pence: number) => Math.trunc(pence / PENNIES_PER_POUND) + 0

/** Builds the body of HMRC's “Submit VAT return for period” from figures in pence. */
export const buildHmrcReturn = (periodKey: string, figures: VatFigures): HmrcReturn => ({
  periodKey,
  vatDueSales: pounds(figures[1]),
  vatDueAcquisitions: pounds(figures[2]),
  totalVatDue: pounds(figures[1] + figures[2]),
  vatReclaimedCurrPeriod: pounds(figures[4]),
  netVatDue: pounds(Math.abs(figures[1] + figures[2] - figures[4])),
  totalValueSalesExVAT: wholePounds(figures[6]),
  totalValuePurchasesExVAT: wholePounds(figures[7]),
  totalValueGoodsSuppliedExVAT: wholePounds(figures[8]),
  totalAcquisitionsExVAT: wholePounds(figures[9]),
  finalised: true,
})

/** Names of the nine figures, by box. */
export const HMRC_FIGURES = [
  'vatDueSales',
  'vatDueAcquisitions',
  'totalVatDue',
  'vatReclaimedCurrPeriod',
  'netVatDue',
  'totalValueSalesExVAT',
  'totalValuePurchasesExVAT',
  'totalValueGoodsSuppliedExVAT',
  'totalAcquisitionsExVAT',
] as const satisfies readonly (keyof HmrcReturn)[]

type HmrcFigures = Pick<HmrcReturn, (typeof HMRC_FIGURES)[number]>
const toPence = (amount: number) => Math.round(amount * PENNIES_PER_POUND)

/** Converts the figures of an HMRC return to pence for each box. */
export const figuresOfHmrcReturn = (of: HmrcFigures): VatFigures =>
  Object.fromEntries(VAT_BOXES.map((box, n) => [box, toPence(of[HMRC_FIGURES[n] ?? 'netVatDue'])])) as VatFigures

/** Returns the boxes in which two returns differ. */
export const differentBoxes = (one: HmrcFigures, other: HmrcFigures): number[] => {
  const [a, b] = [figuresOfHmrcReturn(one), figuresOfHmrcReturn(other)]
  return VAT_BOXES.filter((box) => a[box] !== b[box])
}

const PREFIX = /^(?:GB|XI)?/i

/** Returns the nine digits that HMRC calls the VRN, without prefix, spaces and branch; empty for any other number. */
export const vrnOf = (vatNumber: string): string =>
  /^(\d{9})(?:\d{3})?$/.exec(vatNumber.replace(/\s/g, '').replace(PREFIX, ''))?.[1] ?? ''

const NOT_AUTHORISED =
  'HMRC does not accept this connection for the VAT number. Check that the business is signed up for Making Tax Digital for VAT, then disconnect and connect again with its Government Gateway account.'
const INSOLVENT = 'HMRC does not accept returns of an insolvent business through software. File it with HMRC directly.'
const WRONG_VRN = 'HMRC does not know this VAT number. Check the number under Settings > Letterhead.'
const WRONG_PERIOD =
  'HMRC does not know this VAT period. Check that the first and the last day are those of HMRC’s period.'

/** Sentences for HMRC's error codes. */
const HMRC_ERRORS: Readonly<Record<string, string>> = {
  DUPLICATE_SUBMISSION: 'HMRC already has a return for this period.',
  PERIOD_KEY_INVALID: WRONG_PERIOD,
  INVALID_PERIODKEY: WRONG_PERIOD,
  TAX_PERIOD_NOT_ENDED: 'For HMRC, this VAT period has not ended. File the return after its last day.',
  VAT_TOTAL_VALUE: 'For HMRC, box 3 is not the sum of boxes 1 and 2. Contact an administrator of the portal.',
  VAT_NET_VALUE: 'For HMRC, box 5 is not the difference of boxes 3 and 4. Contact an administrator of the portal.',
  INVALID_MONETARY_AMOUNT: 'HMRC does not accept an amount in this return, because it is too large. Check each box.',
  VRN_INVALID: WRONG_VRN,
  VRN_NOT_FOUND: WRONG_VRN,
  INSOLVENT_TRADER: INSOLVENT,
  RULE_INSOLVENT_TRADER: INSOLVENT,
  CLIENT_OR_AGENT_NOT_AUTHORISED: NOT_AUTHORISED,
  DATE_RANGE_TOO_LARGE: 'HMRC shows returns of the last four years only. Check this period in your HMRC account.',
  MESSAGE_THROTTLED_OUT: 'HMRC receives too many requests at the moment. Wait a minute, then try again.',
}
const TOO_MANY_REQUESTS = 429
const UNAUTHORISED = 401
const SERVER_FAULT = 500

/** Describes an HMRC error in a sentence, based on its status and codes. */
export function describeHmrcError(status: number, codes: readonly string[], message = ''): string {
  const known = codes.map((code) => HMRC_ERRORS[code]).find((sentence) => sentence !== undefined)
  if (known) return known
  if (status === TOO_MANY_REQUESTS) return HMRC_ERRORS.MESSAGE_THROTTLED_OUT ?? ''
  if (status === 0) return 'HMRC did not answer. Try again later.'
  if (status >= SERVER_FAULT) return 'HMRC’s service has a fault. Try again later.'
  if (status === UNAUTHORISED) return 'HMRC has ended the connection. Disconnect, then connect again.'
  const code = codes.at(-1) ?? String(status)
  return `HMRC refused the request: ${message ? `${message.slice(0, 200).replace(/[.]$/, '')} (${code})` : code}.`
}
