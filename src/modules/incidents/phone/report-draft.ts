import { MISSING_ANSWER, missingAnswers, type RequirableAnswer } from '../settings/required-answers.ts'
import { injuredProblem, type ReportedSeverity, toInjuredPeople } from './harm-answers.ts'

/** Photo of a report that has been uploaded. */
export interface ReportPhoto {
  readonly '@id': string
  readonly name: string
}

/** A report in progress, stored on this device until it is sent. */
export interface ReportDraft {
  /** ID of the report, created on this device. */
  readonly key: string
  readonly nearMiss: boolean
  readonly description: string
  readonly site: string
  readonly internalLocation: string
  readonly latitude: number | null
  readonly longitude: number | null
  /** Local date and time, such as `2026-03-02T14:05`. */
  readonly when: string
  readonly severity: ReportedSeverity | null
  /** Names of the injured people, one on each line. */
  readonly injured: string
  readonly reportedBy: string
  readonly contact: string
  readonly photos: readonly ReportPhoto[]
  /** True if the reporter states that no photo can be sent. */
  readonly noPhoto: boolean
  /** Start time, in milliseconds since 1970. */
  readonly begunAt: number
}

export const createReportDraft = (key: string, nearMiss: boolean): ReportDraft => ({
  key,
  nearMiss,
  description: '',
  site: '',
  internalLocation: '',
  latitude: null,
  longitude: null,
  when: '',
  severity: null,
  injured: '',
  reportedBy: '',
  contact: '',
  photos: [],
  noPhoto: false,
  begunAt: Date.now(),
})

/** Questions, one at a time, in their order. */
export const REPORT_STEPS = ['what', 'where', 'when', 'harm', 'photos', 'check'] as const
export type ReportStep = (typeof REPORT_STEPS)[number]

/** Person who reports: a user with an account, or a visitor who enters a name. */
export type Reporter = 'user' | 'visitor'

/** Circumstances in which a report is checked. */
interface ReportCheck {
  readonly reporter: Reporter
  /** Local date and time, such as `2026-03-02T14:05`. */
  readonly now: string
  /** Further answers that the company requires. */
  readonly required: readonly string[]
  /** Number of photos, including those that wait to be sent. */
  readonly photoCount: number
}

/** Step and field of each answer that a company can require. */
const PLACES: Readonly<Record<RequirableAnswer, { readonly step: ReportStep; readonly field: keyof ReportDraft }>> = {
  place: { step: 'where', field: 'internalLocation' },
  injured: { step: 'harm', field: 'injured' },
  photo: { step: 'photos', field: 'photos' },
  contact: { step: 'check', field: 'contact' },
}

/** Returns the answers that the form requires. A photo is not required if none can be sent. */
const insistedAnswers = ({ noPhoto }: ReportDraft, required: readonly string[]): string[] =>
  required.filter((name) => !(name === 'photo' && noPhoto))

/** Returns the problems that keep the user from leaving a step, by field. */
export function findStepProblems(
  step: ReportStep,
  draft: ReportDraft,
  check: ReportCheck,
): Partial<Record<keyof ReportDraft, string>> {
  const { reporter, required, photoCount } = check
  const injuredCount = toInjuredPeople(injuredIn(draft), draft.severity).length
  const missing = missingAnswers(insistedAnswers(draft, required), { ...draft, reporter, injuredCount, photoCount })
  const further = missing.flatMap((name) =>
    PLACES[name].step === step ? [[PLACES[name].field, MISSING_ANSWER[name]] as const] : [],
  )
  return { ...Object.fromEntries(further), ...usualProblems(step, draft, check) }
}

/** Returns the problems that keep the user from leaving a step in any company. */
function usualProblems(
  step: ReportStep,
  draft: ReportDraft,
  { reporter, now }: ReportCheck,
): Partial<Record<keyof ReportDraft, string>> {
  if (step === 'what' && !draft.description.trim()) return { description: 'Field required, please enter text' }
  if (
    step === 'where' &&
    reporter === 'user' &&
    !draft.site &&
    !draft.internalLocation.trim() &&
    draft.latitude === null
  )
    return { internalLocation: 'Please state where it happened, choose a site or use your position' }
  if (step === 'when' && !draft.when) return { when: 'Date Required, Please select a date' }
  if (step === 'when' && draft.when > now) return { when: 'This time is in the future' }
  if (step === 'harm' && !draft.nearMiss && !draft.severity) return { severity: 'Field required, select an option' }
  const tooMany = step === 'harm' ? injuredProblem(injuredIn(draft)) : undefined
  if (tooMany) return { injured: tooMany }
  if (step === 'check' && reporter === 'visitor' && !draft.reportedBy.trim())
    return { reportedBy: 'Please enter your name' }
  return {}
}

/** Returns the first step that is not complete; `undefined` if the report can be sent. */
export const firstOpenStep = (draft: ReportDraft, check: ReportCheck): ReportStep | undefined =>
  REPORT_STEPS.find((step) => Object.keys(findStepProblems(step, draft, check)).length > 0)

/** Returns the time with its offset. In the hour that occurs twice, the first one counts. */
export const toInstant = (when: string): string =>
  Temporal.PlainDateTime.from(when)
    .toZonedDateTime(Temporal.Now.timeZoneId(), { disambiguation: 'earlier' })
    .toInstant()
    .toString()

const place = ({ internalLocation, latitude, longitude }: ReportDraft) => ({
  internalLocation: internalLocation.trim(),
  ...(latitude === null ? {} : { latitude, longitude }),
})

/** Returns the names of the injured people, one on each line. Nobody was hurt in a near miss. */
const injuredIn = ({ nearMiss, severity, injured }: ReportDraft): string =>
  nearMiss || severity === 'none' ? '' : injured

/** Returns the body of `POST incident_reports`. `files` are addresses, or placeholders of queued uploads. */
export const toReportBody = (
  draft: ReportDraft,
  files: readonly string[],
  required: readonly string[],
): Record<string, unknown> => ({
  state: 'reported',
  deviceKey: draft.key,
  formRequired: insistedAnswers(draft, required),
  nearMiss: draft.nearMiss,
  description: draft.description.trim(),
  datetime: toInstant(draft.when),
  ...(draft.site ? { site: draft.site } : {}),
  ...place(draft),
  ...(draft.severity ? { reportedHarm: draft.severity } : {}),
  personnel: toInjuredPeople(injuredIn(draft), draft.severity),
  files,
})

/** Returns the body of `POST shared_sites/{token}/reports`. */
export const toVisitorBody = (draft: ReportDraft, required: readonly string[]): Record<string, unknown> => ({
  key: draft.key,
  formRequired: insistedAnswers(draft, required),
  nearMiss: draft.nearMiss,
  description: draft.description.trim(),
  datetime: toInstant(draft.when),
  ...place(draft),
  ...(draft.severity ? { severity: draft.severity } : {}),
  reportedBy: draft.reportedBy.trim(),
  contact: draft.contact.trim(),
  injured: injuredIn(draft),
})
