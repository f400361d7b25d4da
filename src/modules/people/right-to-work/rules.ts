import { type Violation, violation } from '#kernel/errors.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'

/** Methods of a check, as the Home Office's guide for employers names them. */
export const CHECK_METHODS = [
  { value: 'manual', label: 'Manual document check' },
  { value: 'shareCode', label: 'Home Office online check (share code)' },
  { value: 'identityService', label: 'Certified identity service provider' },
  { value: 'employerCheckingService', label: 'Employer Checking Service' },
] as const

/**
 * Needs of a document: `any` may have expired, `current` must not have expired, `limited` ends with a permission,
 * `notice` comes with a Positive Verification Notice, `none` has no expiry date.
 */
export const DOCUMENT_VALIDITIES = ['any', 'current', 'limited', 'notice', 'none'] as const

/** A document of the reference list. */
export interface ProofDocument {
  readonly name: string
  readonly methods: readonly string[]
  readonly validity: (typeof DOCUMENT_VALIDITIES)[number]
  /** Reason why the document proves nothing; empty if it does. */
  readonly refusal: string
}

/** Dates and method of a check as entered. */
export interface CheckFacts {
  readonly method: string
  readonly checkedOn: string
  readonly expiresOn: string | null
  readonly noticeOn: string | null
  readonly shareCode: string
}

/** Months after its date for which a Positive Verification Notice gives a defence. */
const NOTICE_MONTHS = 6
/** Days after the check for which a share code is stored. It is valid for the same time. */
export const SHARE_CODE_DAYS = 90
/** Years after the end of employment for which checks are stored (`retention-periods.json`, row 18). */
export const RETENTION_YEARS = 2
/** Days before the next check on which it is shown as due. */
export const DUE_DAYS = 60

const EARLIEST_CHECK = '1997-01-27'
const LATEST_EXPIRY = '2199-12-31'

const day = (iso: string) => Temporal.PlainDate.from(iso)

/**
 * Returns the last day of the statutory defence, by which the check has to be repeated; null if it has no end. The
 * months after the 29th, 30th or 31st end on the last day of a shorter month.
 */
export function defenceEnd(
  { validity }: Pick<ProofDocument, 'validity'>,
  { expiresOn, noticeOn }: Pick<CheckFacts, 'expiresOn' | 'noticeOn'>,
): string | null {
  if (validity === 'limited') return expiresOn
  return validity === 'notice' && noticeOn ? day(noticeOn).add({ months: NOTICE_MONTHS }).toString() : null
}

/** Returns the last day on which the share code of a check is stored. */
export const lastShareCodeDay = (checkedOn: string): string => day(checkedOn).add({ days: SHARE_CODE_DAYS }).toString()

/** Returns the first day on which the checks of a former employee may be destroyed. */
export const firstDestructionDay = (leavingDate: string): string =>
  day(leavingDate).add({ years: RETENTION_YEARS }).add({ days: 1 }).toString()

/** Returns a share code in capitals, without spaces and hyphens. */
export const normaliseShareCode = (given: string): string => given.replace(/[\s-]/g, '').toUpperCase()

/** Validates the document, method and dates of a check, and returns the violations. */
export function checkViolations(document: ProofDocument, facts: CheckFacts, today: string): Violation[] {
  const { method, checkedOn } = facts
  if (document.refusal) return [violation('document', document.refusal)]
  if (!document.methods.includes(method))
    return [violation('document', 'This method doesn’t accept this document. Please choose another')]
  if (checkedOn > today) return [violation('checkedOn', 'The day of the check is in the future')]
  if (checkedOn < EARLIEST_CHECK)
    return [violation('checkedOn', `Please enter a day from ${formatIsoDateAsUk(EARLIEST_CHECK)} on`)]
  return [
    ...expiryViolations(document, facts),
    ...noticeViolations(document, facts),
    ...shareCodeViolations(facts, today),
  ]
}

function expiryViolations({ validity }: ProofDocument, { method, checkedOn, expiresOn }: CheckFacts): Violation[] {
  if (validity === 'none' || validity === 'notice')
    return expiresOn ? [violation('expiresOn', 'This document has no date of expiry. Please leave it empty')] : []
  const mustBeCurrent = validity !== 'any' || method === 'identityService'
  if (!expiresOn)
    return validity === 'limited' || method === 'identityService'
      ? [
          violation(
            'expiresOn',
            validity === 'limited'
              ? 'Please enter the day on which the permission ends'
              : 'Please enter the expiry date of the passport',
          ),
        ]
      : []
  if (expiresOn > LATEST_EXPIRY) return [violation('expiresOn', 'Please enter a day before 2200')]
  if (!mustBeCurrent || expiresOn >= checkedOn) return []
  return [
    violation(
      'expiresOn',
      method === 'identityService'
        ? 'An identity service provider accepts only passports that have not expired'
        : 'The document had expired on the day of the check, so it proves no right to work',
    ),
  ]
}

function noticeViolations({ validity }: ProofDocument, { checkedOn, noticeOn }: CheckFacts): Violation[] {
  if (validity !== 'notice')
    return noticeOn
      ? [violation('noticeOn', 'Only documents of list B, group 2 need a notice. Please leave it empty')]
      : []
  if (!noticeOn) return [violation('noticeOn', 'Please enter the date of the Positive Verification Notice')]
  if (noticeOn > checkedOn) return [violation('noticeOn', 'The notice is dated after the check')]
  const end = day(noticeOn).add({ months: NOTICE_MONTHS }).toString()
  return end < checkedOn
    ? [violation('noticeOn', `The notice ended on ${formatIsoDateAsUk(end)}. Please ask for a new one`)]
    : []
}

function shareCodeViolations({ method, checkedOn, shareCode }: CheckFacts, today: string): Violation[] {
  const code = normaliseShareCode(shareCode)
  if (method !== 'shareCode') return code ? [violation('shareCode', 'Only online checks have a share code')] : []
  if (lastShareCodeDay(checkedOn) < today)
    return code
      ? [
          violation(
            'shareCode',
            `Share codes are stored for ${SHARE_CODE_DAYS} days after the check. Please leave it empty`,
          ),
        ]
      : []
  return /^[A-Z0-9]{9}$/.test(code)
    ? []
    : [violation('shareCode', 'Please enter the share code of nine letters and digits')]
}
