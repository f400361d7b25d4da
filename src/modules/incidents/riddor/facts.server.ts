import { londonDate } from '#kernel/time.ts'
import { sicknessAbsence } from '#modules/people/sickness/sickness.ts'
import { findPackState } from '#modules/portal/packs/routes.server.ts'
import type { RecordReader } from '#server/engine/types.ts'
import { lookups } from '../lookups/lookup.ts'
import type { IncidentPerson } from '../people/incident-person.ts'
import type { IncidentReport } from '../reports/incident-report.ts'
import type { AbsencePeriod, IncidentFacts, PersonFacts, SpecifiedInjury } from './facts.ts'
import { findSicknessAfterAccident } from './recorded-sickness.ts'

type PersonRow = Partial<IncidentPerson>

/** Values of a reported incident, stored or about to be saved. */
export type ScreenedReport = Partial<
  Pick<IncidentReport, 'nation' | 'answers' | 'disease' | 'diagnosedOn' | 'gasLearnedOn'>
> & {
  readonly datetime?: string | null
  readonly personnel?: readonly PersonRow[]
  readonly dangerousOccurrences?: readonly {
    readonly dangerousOccurrence?: number | null
    readonly retired?: boolean
  }[]
}

/** Texts and keys of the rows of lists that an incident refers to, by ID. */
export interface FactLookups {
  readonly severityKeys: ReadonlyMap<number, string>
  readonly occurrenceNames: ReadonlyMap<number, string>
}

/** Reads the lists that an incident refers to, and returns its facts for the screening. */
export async function readIncidentFacts(c: Pick<RecordReader, 'find'>, report: ScreenedReport): Promise<IncidentFacts> {
  const severities = (report.personnel ?? []).flatMap(({ severity }) => severity ?? [])
  const occurrences = (report.dangerousOccurrences ?? []).flatMap(({ dangerousOccurrence: id }) => id ?? [])
  const keys = severities.length ? await c.find(lookups.severities, { id: [...new Set(severities)] }) : []
  const names = occurrences.length ? await c.find(lookups.dangerousOccurrences, { id: [...new Set(occurrences)] }) : []
  return toIncidentFacts(report, {
    severityKeys: new Map(keys.map(({ id, severity }) => [id, severity])),
    occurrenceNames: new Map(names.map(({ id, name }) => [id, name])),
  })
}

/**
 * Returns the facts of an incident. Only values entered by a person are facts; everything else remains unknown, so that
 * the screening asks about it.
 */
export function toIncidentFacts(report: ScreenedReport, known: FactLookups): IncidentFacts {
  const { datetime, nation, answers, disease, diagnosedOn, gasLearnedOn } = report
  if (!datetime) throw new Error('An incident without a date and time can’t be screened')
  const injured = (report.personnel ?? []).flatMap((person, place) =>
    person.recordType === 'WT' || person.retired ? [] : [toPersonFacts(person, place, known)],
  )
  return {
    day: londonDate(Temporal.Instant.from(datetime)).toString(),
    people: injured,
    occurrences: (report.dangerousOccurrences ?? []).flatMap(({ dangerousOccurrence: id, retired }) =>
      id && !retired ? [known.occurrenceNames.get(id) ?? `Number ${id}`] : [],
    ),
    answers: answers ?? {},
    ...(nation ? { nation } : {}),
    ...(disease ? { disease: { kind: disease, ...(diagnosedOn ? { diagnosedOn } : {}) } } : {}),
    ...(gasLearnedOn ? { gasLearnedOn } : {}),
  }
}

/** IDs of the job classes of form F2508, by the status of the person. */
const STATUSES: Readonly<Record<number, PersonFacts['status']>> = {
  1: 'employee',
  2: 'selfEmployed',
  3: 'employee',
  4: 'employee',
  5: 'otherEmployer',
  6: 'public',
}

/** A person who is not saved yet has a negative ID, which no other person in the incident has. */
function toPersonFacts(person: PersonRow, place: number, known: FactLookups): PersonFacts {
  const key = known.severityKeys.get(person.severity ?? 0)
  const status = STATUSES[person.jobClass ?? 0]
  const harm = harmOf(person, key)
  const absences = absencesOf(person)
  return {
    id: person.id ?? -place - 1,
    answers: {
      ...(key === 'seven_day' ? { overSevenDays: 'yes' as const } : {}),
      ...(key === 'mop' ? { takenToHospital: 'yes' as const } : {}),
      ...person.answers,
    },
    ...(status ? { status } : {}),
    ...(harm ? { harm } : {}),
    ...(person.diedOn ? { diedOn: person.diedOn } : {}),
    ...(person.specified ? { specified: person.specified as readonly SpecifiedInjury[] } : {}),
    ...(absences ? { absences } : {}),
    ...(person.injurySustained
      ? {
          injury: {
            sustained: person.injurySustained,
            bodyPart: person.bodyPart ?? 0,
            effects: (person.injuryEffect ?? []).toSorted((a, b) => a - b),
          },
        }
      : {}),
  }
}

/** Injury of form F2508 that states that there is none. */
const NO_INJURY = 22

/** Returns the worst harm that was entered, as an answer, as a severity or as an injury. */
function harmOf({ harm, diedOn, injurySustained }: PersonRow, severityKey: string | undefined): PersonFacts['harm'] {
  if (harm === 'dead' || diedOn || severityKey === 'fatal') return 'dead'
  const isHurt = (injurySustained && injurySustained !== NO_INJURY) || (severityKey && severityKey !== 'none')
  if (harm === 'injured' || isHurt) return 'injured'
  return harm === 'none' || injurySustained === NO_INJURY || severityKey === 'none' ? 'none' : undefined
}

/** Returns a person's absences as entered on the record; undefined while unknown. */
const absencesOf = ({ absences }: PersonRow): readonly AbsencePeriod[] | undefined => absences ?? undefined

/** Reads the sickness of injured employees after their accident, by person in the incident. */
export async function readSicknessOfInjured(
  c: Pick<RecordReader, 'find' | 'get'>,
  clientId: number,
  people: readonly Pick<IncidentPerson, 'id' | 'employee'>[],
  accidentDay: string,
): Promise<ReadonlyMap<number, readonly AbsencePeriod[]>> {
  const ids = people.flatMap(({ employee }) => employee ?? [])
  if (!ids.length || (await findPackState(c as RecordReader, clientId, 'holidays')) === 'none') return new Map()
  const all = await c.find(sicknessAbsence, { employee: ids, retired: false })
  return new Map(
    people.map(({ id, employee }) => [
      id,
      employee === null
        ? []
        : findSicknessAfterAccident(
            all.filter((one) => one.employee === employee),
            accidentDay,
          ),
    ]),
  )
}
