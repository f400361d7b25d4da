import { FORBIDDEN_DURING_IMPERSONATION_MESSAGE } from '#kernel/can.ts'
import { problem, type Violation, violation } from '#kernel/errors.ts'
import { labelOf } from '#kernel/fields.ts'
import { iriOf, type ValuesOf } from '#kernel/resource.ts'
import { authorOf, hasRole } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { raiseAction } from '#modules/actions/raise.server.ts'
import { document } from '#modules/documents/types/document.ts'
import { incidentSite } from '#modules/people/sites/incident-site.ts'
import { localAuthority } from '#modules/safety/places/local-authority.ts'
import { issueSequenceNumber } from '#server/data/sequences.ts'
import { type AfterSaveInput, type BeforeSaveInput, behaviour } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import { sealEvent } from '#server/evidence/seal.ts'
import { logIncidentEvent } from '../history.server.ts'
import { incidentNumberSequence } from '../incident-facts.ts'
import { incidentPerson } from '../people/incident-person.ts'
import { preparePeople } from '../people/people.server.ts'
import { decideRiddor, recordHseReport } from '../riddor/decide.server.ts'
import { areAnswers, INCIDENT_QUESTIONS } from '../riddor/questions.ts'
import { riddorClockStarted } from '../riddor/reminders.server.ts'
import { deriveScreeningChanges } from '../riddor/screening.server.ts'
import { INCIDENT_BOOK_ROLES, INCIDENT_READER_ROLE, isReportedDuringVisit, reporterId } from '../rights.ts'
import { incidentDepartment } from '../settings/incident-department.ts'
import { incidentEvidence } from './evidence.ts'
import { attachFiles } from './files.server.ts'
import { requestReview } from './follow-up.server.ts'
import { type IncidentReport, incidentAmendment, incidentReport } from './incident-report.ts'
import { hasAddress, nationOfPostcode, validateAddress } from './place-rules.ts'
import { incidentReported } from './reported.ts'
import { filterByInjuredParty } from './row-filters.server.ts'
import { findUnansweredQuestions } from './unanswered.server.ts'

type Save = Context & BeforeSaveInput<typeof incidentReport>
type Values = Readonly<ValuesOf<typeof incidentReport>>

/** Seconds by which a device's clock may be ahead of the portal's. */
const CLOCK_TOLERANCE_SECONDS = 300

const incidentBehaviour = behaviour(incidentReport, {
  extraFilters: filterByInjuredParty,
  beforeSave: async (c) => {
    assertChangeable(c)
    const { before, values, changes, now } = c
    if (!before) await refuseReceivedReport(c)
    const isReported = values.state !== 'draft'
    const isNewlyReported = isReported && (!before || before.state === 'draft')
    const unanswered = isNewlyReported ? await findUnansweredQuestions(c) : undefined
    const wrong = [
      ...dateViolations(values, now),
      ...answerViolations(values),
      ...(isReported ? reportViolations(values) : []),
      ...(unanswered?.refused ?? []),
      ...repeatedOccurrences(values),
    ]
    if (wrong.length) throw problem.invalid(wrong)
    const people = c.rows.some(({ field }) => field === 'personnel') || changes.datetime !== undefined
    const found = {
      ...(await nationFor(c)),
      ...(people ? { personnel: await preparePeople(c) } : {}),
    }
    return {
      ...found,
      ...(c.rows.some(({ field }) => field === 'riskLinks') ? { riskLinks: await prepareRiskLinks(c) } : {}),
      ...(unanswered ? { missingAnswers: unanswered.accepted } : {}),
      ...(before ? {} : { createdAt: now.toString(), reporter: reporterId(c.actor) }),
      ...diseaseByAfter(c),
      ...(isNewlyReported
        ? {
            number: (await issueSequenceNumber(c, incidentNumberSequence)).text,
            reportedAt: now.toString(),
            reportedText: values.description ?? '',
          }
        : {}),
      ...(isReported ? await screen(c, { ...values, ...found }) : {}),
    }
  },
  afterSave: async (c) => {
    const { id, state } = await c.written.saved()
    await attachFiles(c, id)
    if (state === 'draft') return
    const event = eventOf(c)
    await logIncidentEvent(
      c,
      id,
      LABELS[event],
      event === 'changed' ? changedLabels(c) : (c.changes.retireReason ?? ''),
    )
    await sealEvent(c, incidentEvidence, { event, id })
    if (event === 'reported') await c.emit(incidentReported, { report: id })
    const reopened = c.changes.riddorDecision === null
    if (reopened) await logIncidentEvent(c, id, 'RIDDOR decision reopened')
    if (c.changes.reportBy || (reopened && c.before?.reportBy))
      await c.emit(riddorClockStarted, { report: id, reopened })
  },
  actions: {
    investigate: (c) => proceed(c, 'investigation started', { state: 'investigating' }),
    close: async (c) => {
      await assertClosable(c, c.row)
      const closed = { state: 'closed', closedAt: c.now.toString(), ...(await presentNames(c, c.row)) } as const
      return proceed(c, 'closed', closed, c.input.notes ?? '')
    },
    reopen: (c) =>
      proceed(
        c,
        'reopened',
        { state: 'investigating', closedAt: null, siteName: '', departmentName: '' },
        c.input.reason,
      ),
    amend: async (c) => {
      if (c.row.retired) throw problem.conflict('This incident is deleted. Restore it first.')
      const added = await c
        .withoutPermissionCheck('amend a closed incident')
        .create(incidentAmendment, { report: c.row.id, ...c.input, createdAt: c.now.toString() })
      await logIncidentEvent(c, c.row.id, 'Amended', c.input.reason)
      await sealEvent(c, incidentEvidence, { event: 'amended', id: c.row.id, added })
      return {}
    },
    decideRiddor,
    recordHseReport,
    raiseAction: async (c) => {
      const { id, number, retired } = c.row
      if (retired) throw problem.conflict('This incident is deleted. Restore it first.')
      const raised = await raiseAction(c, c.input, { source: iriOf(incidentReport, id), sourceTitle: number })
      await logIncidentEvent(c, id, 'Corrective action raised', raised)
      return {}
    },
    requestReview: async (c) => {
      const requested = await requestReview(c)
      if (requested) await logIncidentEvent(c, c.row.id, 'Review of a risk assessment requested', requested)
      return {}
    },
  },
})

const LABELS = {
  reported: 'Reported',
  changed: 'Changed',
  retired: 'Deleted',
  restored: 'Restored',
  'investigation started': 'Investigation started',
  closed: 'Closed',
  reopened: 'Reopened',
} as const
type ReportEvent = keyof typeof LABELS

/** Changes an incident by an action, and records and seals the event. Throws 409 if the incident is deleted. */
async function proceed(
  c: Context & { readonly row: IncidentReport },
  event: ReportEvent,
  values: Values,
  notes = '',
): Promise<Record<string, never>> {
  if (c.row.retired) throw problem.conflict('This incident is deleted. Restore it first.')
  await c.set(incidentReport, c.row, values, event)
  await logIncidentEvent(c, c.row.id, LABELS[event], notes)
  await sealEvent(c, incidentEvidence, { event, id: c.row.id })
  return {}
}

/** Throws if the incident's state, or the actor's rights to health details, forbid the change. */
function assertChangeable({ before, changes, rows, values, actor }: Save): void {
  if (changes.state !== undefined && (before ? before.state !== 'draft' : false))
    throw problem.conflict('The status of a reported incident is changed by its actions.')
  if (changes.state !== undefined && changes.state !== 'reported' && changes.state !== 'draft')
    throw problem.invalid([violation('state', 'A new incident is either a draft or reported')])
  if (changes.retired && !values.retireReason?.trim())
    throw problem.invalid([violation('retireReason', 'Please give a reason')])
  if (!before) return
  if (isReportedDuringVisit(actor, before)) throw problem.forbidden(FORBIDDEN_DURING_IMPERSONATION_MESSAGE, 'in_person')
  const isOwnDraft = before.state === 'draft' && before.author === authorOf(actor).username
  if (!isOwnDraft && !hasRole(actor, INCIDENT_BOOK_ROLES))
    throw problem.forbidden('Your report has been received. Please tell your manager what should be corrected.')
  if (rows.some(({ field }) => field === 'personnel') && !isOwnDraft && !hasRole(actor, INCIDENT_READER_ROLE))
    throw problem.forbidden('Only readers of health details can change the people of an incident.')
  const others = [...Object.keys(changes), ...rows.map(({ field }) => field)].filter(
    (name) => name !== 'retired' && name !== 'retireReason',
  )
  if (before.state === 'closed' && others.length)
    throw problem.conflict('This incident is closed. Please amend it, or reopen it.')
  if (before.retired && others.length) throw problem.conflict('This incident is deleted. Restore it first.')
  assertReportUnchanged(before, changes)
  if (before.state === 'draft' && !isOwnDraft && others.length)
    throw problem.forbidden('Only the author of this draft can change it. You can delete it with a reason.')
  if (before.state !== 'draft' && !hasRole(actor, INCIDENT_READER_ROLE)) assertNoFacts(before, changes)
  if (changes.retired && before.state === 'closed')
    throw problem.conflict('This incident is closed. Reopen it with a reason, then delete it.')
  if (changes.retired && isReportDue(before))
    throw problem.conflict(
      'A report to HSE is due for this incident. Record the report, or decide that it is not reportable, then delete it.',
    )
}

/** Returns true while the clock for a report to HSE is running. */
const isReportDue = ({ reportBy, hseSentOn }: Pick<IncidentReport, 'reportBy' | 'hseSentOn'>): boolean =>
  reportBy !== null && hseSentOn === null

/**
 * Throws 422 if a change alters the reporter's own statements: the answer “how bad”, and a visitor's name and contact.
 */
function assertReportUnchanged(before: IncidentReport, changes: Values): void {
  if (before.state === 'draft') return
  const stated = ['reportedHarm', ...(before.byLink ? ['reportedBy', 'reporterContact'] : [])]
  const wrong = stated.filter((name) => name in changes)
  if (wrong.length) throw problem.invalid(wrong.map((name) => violation(name, 'This stays as it was reported')))
}

/** Facts for the screening, and photos, which users without access to health details can't see. */
const HEALTH_FACTS = ['answers', 'disease', 'diagnosedOn', 'gasLearnedOn'] as const

/** Throws 403 if a change by a user without access to health details alters facts that this user can't see. */
function assertNoFacts(before: IncidentReport, changes: Values): void {
  if (HEALTH_FACTS.some((name) => name in changes))
    throw problem.forbidden('Only readers of health details can change the facts of the screening.')
  if (changes.files && before.files.some((file) => !changes.files?.includes(file)))
    throw problem.forbidden('Only readers of health details can remove photos and documents.')
}

/**
 * Returns the outcome and the clock of the screening. Throws 403 if a user without access to health details would reopen
 * a decision or move a clock.
 */
async function screen(c: Save, values: Parameters<typeof deriveScreeningChanges>[2]): Promise<Values> {
  const { before, actor } = c
  const changes = await deriveScreeningChanges(c, before, values)
  const isMoved =
    changes.riddorDecision === null ||
    (before?.reportBy && changes.reportBy !== undefined && changes.reportBy !== before.reportBy)
  if (before && before.state !== 'draft' && isMoved && !hasRole(actor, INCIDENT_READER_ROLE))
    throw problem.forbidden(
      'This change would reopen the decision under RIDDOR, or move its deadline. Only readers of health details can make it.',
    )
  return changes
}

/** Returns the reporter for a new incident, and null once another user changes the disease or its diagnosis. */
function diseaseByAfter({ before, changes, actor }: Save): Values {
  const own = reporterId(actor)
  if (!before) return { diseaseBy: own }
  const isChanged = changes.disease !== undefined || changes.diagnosedOn !== undefined
  return isChanged && before.diseaseBy !== own ? { diseaseBy: null } : {}
}

/** Throws 409 if the device's report has already been received. */
async function refuseReceivedReport(c: Save): Promise<void> {
  const { deviceKey } = c.values
  if (!deviceKey) return
  const [received] = await c.find(incidentReport, { deviceKey })
  if (received)
    throw problem.conflict(`This report has already been received${received.number && ` as ${received.number}`}.`)
}

const answerViolations = ({ answers }: Values): Violation[] =>
  areAnswers(answers ?? {}, INCIDENT_QUESTIONS) ? [] : [violation('answers', 'Please answer with yes or no')]

function dateViolations({ datetime, diagnosedOn, gasLearnedOn }: Values, now: Temporal.Instant): Violation[] {
  const latest = now.add({ seconds: CLOCK_TOLERANCE_SECONDS })
  const today = londonDate(now).toString()
  return [
    ...(datetime && Temporal.Instant.compare(Temporal.Instant.from(datetime), latest) > 0
      ? [violation('datetime', 'This time is in the future')]
      : []),
    ...(['diagnosedOn', 'gasLearnedOn'] as const).flatMap((name) => {
      const day = { diagnosedOn, gasLearnedOn }[name]
      return day && day > today ? [violation(name, 'This day is in the future')] : []
    }),
  ]
}

const TEXT = 'Field required, please enter text'

function reportViolations(values: Values): Violation[] {
  const place = {
    addressLine1: values.addressLine1 ?? '',
    city: values.city ?? '',
    county: values.county ?? '',
    postcode: values.postcode ?? '',
    noPostcode: values.noPostcode ?? false,
  }
  const isPlaced = values.site || values.internalLocation?.trim() || typeof values.latitude === 'number'
  return [
    ...(values.description?.trim() ? [] : [violation('description', TEXT)]),
    ...(values.datetime ? [] : [violation('datetime', 'Date Required, Please select a date')]),
    ...(hasAddress(place)
      ? validateAddress(place)
      : isPlaced
        ? []
        : [violation('internalLocation', 'Please state where it happened')]),
  ]
}

/** Returns a violation for each dangerous occurrence that is chosen twice. */
const repeatedOccurrences = ({ dangerousOccurrences: chosen = [] }: Values): Violation[] =>
  chosen.flatMap(({ dangerousOccurrence, retired }, place) =>
    !retired && chosen.slice(0, place).some((one) => !one.retired && one.dangerousOccurrence === dangerousOccurrence)
      ? [violation(`dangerousOccurrences[${place}].dangerousOccurrence`, 'This is already chosen', 'duplicate')]
      : [],
  )

/** Returns the nation of a newly chosen local authority or, if none is chosen, of a new postcode. */
async function nationFor(c: Save): Promise<Values> {
  const { changes, values } = c
  if (changes.nation !== undefined) return {}
  if (typeof changes.localAuthority === 'number') {
    const authority = await c.get(localAuthority, changes.localAuthority)
    return authority ? { nation: authority.riddor ? 'greatBritain' : 'northernIreland' } : {}
  }
  if (values.localAuthority || values.nation || !changes.postcode) return {}
  return { nation: nationOfPostcode(changes.postcode) }
}

/** Returns the risk links with the number and description of each assessment. Throws 422 for an empty link. */
async function prepareRiskLinks(c: Save): Promise<NonNullable<Values['riskLinks']>> {
  const links = c.values.riskLinks ?? []
  const ids = links.flatMap(({ riskAssessment }) => riskAssessment ?? [])
  const found = new Map((ids.length ? await c.find(document, { id: ids }) : []).map((one) => [one.id, one]))
  const empty = links.findIndex(({ riskAssessment, other }) => !riskAssessment && !other?.trim())
  if (empty >= 0)
    throw problem.invalid([violation(`riskLinks[${empty}].riskAssessment`, 'Field required, select an option')])
  return links.map((link) => {
    const assessment = found.get(link.riskAssessment ?? 0)
    const isLinked = link.riskAssessmentDocumentNumber !== ''
    return assessment && !isLinked
      ? { ...link, riskAssessmentDocumentNumber: assessment.documentNumber, description: assessment.title ?? '' }
      : link
  })
}

/** Returns the names of an incident's site and department, which are retained with the incident once it is closed. */
async function presentNames(c: Context, { site, department }: IncidentReport): Promise<Values> {
  const [at, of] = [
    site === null ? undefined : await c.get(incidentSite, site),
    department === null ? undefined : await c.get(incidentDepartment, department),
  ]
  return { siteName: at?.name ?? '', departmentName: of?.name ?? '' }
}

/** Throws 409 with the reasons why an incident can't be closed yet. */
async function assertClosable(c: Context, row: IncidentReport): Promise<void> {
  const people = await c.find(incidentPerson, { report: row.id, retired: false, recordType: 'IP' })
  const missing = [
    ...(validateAddress(row).length ? ['the address is incomplete'] : []),
    ...(people.some(({ detailed }) => !detailed) ? ['the details of an injured person are incomplete'] : []),
    ...(row.riddorDecision === null ? ['nobody has decided whether the incident is reportable'] : []),
    ...(row.riddorDecision === 'reportable' && row.reportBy && !row.hseSentOn
      ? ['the report to HSE is not recorded']
      : []),
  ]
  if (missing.length) throw problem.conflict(`This incident can’t be closed yet: ${missing.join('; ')}.`)
}

function eventOf({ before, changes }: AfterSaveInput<typeof incidentReport>): ReportEvent {
  if (!before || before.state === 'draft') return 'reported'
  if (changes.retired === undefined) return 'changed'
  return changes.retired ? 'retired' : 'restored'
}

/** Returns the labels of the changed fields. The history never quotes their values, which may be health details. */
function changedLabels({ changes, rows }: AfterSaveInput<typeof incidentReport>): string {
  const names = [...Object.keys(changes), ...rows.map(({ field }) => field)]
  return [...new Set(names)]
    .flatMap((name) => {
      const field = incidentReport.fields[name as keyof typeof incidentReport.fields]
      return field && !('readonly' in field && field.readonly) ? [labelOf(name, field)] : []
    })
    .join(', ')
}

export const incidentBehaviours = [incidentBehaviour]
