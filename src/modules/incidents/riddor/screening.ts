import { addDays } from '#kernel/time.ts'
import { countIncapacity, GAS_REPORT_DAYS, INCAPACITY_REPORT_DAYS, REPORT_DAYS } from './clocks.ts'
import {
  type Answer,
  type IncidentFacts,
  type IncidentQuestion,
  type PersonFacts,
  type PersonQuestion,
  REPORTABLE_DISEASES,
  SPECIFIED_INJURIES,
  type SpecifiedInjury,
} from './facts.ts'
import { INCIDENT_QUESTIONS, PERSON_QUESTIONS, type Question } from './questions.ts'

// The screening proposes whether an incident is reportable under RIDDOR 2013 (SI 2013/1471). A person decides.

/** A report that the law requires, with the clock that it starts. Dates have the form `2026-11-30`. */
export interface ReportDuty {
  readonly kind:
    | 'death'
    | 'specifiedInjury'
    | 'overSevenDays'
    | 'hospital'
    | 'occurrence'
    | 'disease'
    | 'gas'
    | 'laterDeath'
  readonly regulation: string
  readonly person?: number
  /** True if the enforcing authority must be notified by the quickest practicable means without delay. */
  readonly isUrgent: boolean
  /** Last day for the written report. Missing if it is due without delay. */
  readonly reportBy?: string
  /** Day on which an incapacity exceeded seven days, if that made the injury reportable. */
  readonly incapacitatedOn?: string
  /** Whose duty it is; `other` if another organisation must report. */
  readonly responsible: 'us' | 'selfEmployed' | 'other'
  readonly reason: string
}

/** A question that the facts leave open. */
export interface OpenQuestion extends Question {
  readonly name: IncidentQuestion | PersonQuestion | 'nation' | 'status' | 'harm' | 'specified' | 'diagnosedOn'
  readonly person?: number
}

export interface Screening {
  /** `otherLaw`: the incident happened outside Great Britain, where this law does not apply. */
  readonly outcome: 'reportable' | 'notReportable' | 'open' | 'otherLaw'
  readonly duties: readonly ReportDuty[]
  readonly questions: readonly OpenQuestion[]
  /** Reasons why something is not reportable, each with its regulation. */
  readonly reasons: readonly { readonly text: string; readonly regulation: string; readonly person?: number }[]
  /** People whose injury must be recorded, although it is not reportable (regulation 12(1)(b)). */
  readonly recorded: readonly number[]
}

type Reason = Screening['reasons'][number]

interface Findings {
  readonly duties: ReportDuty[]
  readonly questions: OpenQuestion[]
  readonly reasons: Reason[]
  readonly recorded: number[]
}

const FACT_QUESTIONS = {
  nation: { text: 'Did the incident happen in Great Britain, in Northern Ireland or elsewhere?', regulation: '' },
  status: { text: 'Was the person at work, and which organisation did they work for?', regulation: '3' },
  harm: { text: 'Was the person injured or killed?', regulation: '4 to 6' },
  specified: { text: 'Which of these injuries did the person suffer?', regulation: '4(1)' },
  diagnosedOn: { text: 'On which day was the diagnosis received?', regulation: '8' },
} as const satisfies Record<string, Question>

/** Screens an incident by the facts known so far. `today` is the day in Europe/London. */
export function screenIncident(facts: IncidentFacts, today: string): Screening {
  const found: Findings = { duties: [], questions: [], reasons: [], recorded: [] }
  if (!facts.nation) found.questions.push({ name: 'nation', ...FACT_QUESTIONS.nation })
  if (facts.nation && facts.nation !== 'greatBritain') {
    found.reasons.push(facts.nation === 'northernIreland' ? NORTHERN_IRELAND : ELSEWHERE)
    return { ...found, outcome: 'otherLaw' }
  }
  const ask = (name: IncidentQuestion): Answer | undefined => {
    const answer = facts.answers?.[name]
    const isAsked = found.questions.some((question) => question.name === name)
    if (!answer && !isAsked) found.questions.push({ name, ...INCIDENT_QUESTIONS[name] })
    return answer
  }
  screenOccurrence(facts, found, ask)
  screenDisease(facts, found, ask)
  screenPeople(facts, today, found, ask)
  screenGas(facts, found, ask)
  const outcome = found.duties.length ? 'reportable' : found.questions.length ? 'open' : 'notReportable'
  return { ...found, outcome }
}

const NORTHERN_IRELAND: Reason = {
  text: 'In Northern Ireland, RIDDOR (NI) 1997 applies. Report to HSENI; incapacity for more than three days is reportable. This screening covers Great Britain only, so please decide under those Regulations.',
  regulation: '',
}
const ELSEWHERE: Reason = {
  text: 'This screening covers workplaces in Great Britain. RIDDOR 2013 has rules of its own for offshore workplaces.',
  regulation: '',
}

function screenOccurrence({ occurrences, day }: IncidentFacts, found: Findings, ask: AskIncident): void {
  const chosen = occurrences ?? []
  if (!chosen.length) {
    const answer = ask('occurrence')
    if (answer !== 'yes') {
      if (answer === 'no')
        found.reasons.push({ text: 'It was not a dangerous occurrence listed in Schedule 2.', regulation: '7' })
      return
    }
  }
  found.duties.push({
    kind: 'occurrence',
    regulation: '7 and Schedule 2',
    isUrgent: true,
    reportBy: addDays(day, REPORT_DAYS),
    responsible: ask('underOurControl') === 'no' ? 'other' : 'us',
    reason: chosen.length ? `Dangerous occurrence: ${chosen.join('; ')}` : 'Dangerous occurrence listed in Schedule 2',
  })
}

function screenDisease({ disease }: IncidentFacts, found: Findings, ask: AskIncident): void {
  if (!disease) return
  const { name, regulation, work } = REPORTABLE_DISEASES[disease.kind]
  const answer = ask('diseaseFromWork')
  if (answer === 'no')
    found.reasons.push({ text: `${name} is reportable only if the person’s work involved ${work}.`, regulation })
  if (!disease.diagnosedOn) found.questions.push({ name: 'diagnosedOn', ...FACT_QUESTIONS.diagnosedOn })
  if (answer !== 'yes' || !disease.diagnosedOn) return
  found.duties.push({
    kind: 'disease',
    regulation,
    isUrgent: true,
    responsible: 'us',
    reason: `${name}, diagnosed by a doctor, after ${work}`,
  })
}

function screenGas({ gasLearnedOn, day, answers }: IncidentFacts, found: Findings, ask: AskIncident): void {
  // Nothing is reportable under regulation 11 that is reportable elsewhere (regulation 11(3)(a)).
  if (found.duties.some(({ kind }) => kind !== 'disease')) return
  const isSupplier = ask('gasSupplier')
  const isFitting = isSupplier === 'yes' ? undefined : ask('gasFitting')
  if (isSupplier === 'yes')
    found.duties.push({
      kind: 'gas',
      regulation: '11(1)',
      isUrgent: true,
      reportBy: addDays(day, GAS_REPORT_DAYS),
      responsible: 'us',
      reason:
        'A person died, lost consciousness or was taken to hospital because of gas that your organisation distributes or supplies',
    })
  if (isFitting === 'yes')
    found.duties.push({
      kind: 'gas',
      regulation: '11(2)',
      isUrgent: false,
      reportBy: addDays(gasLearnedOn ?? day, GAS_REPORT_DAYS),
      responsible: 'us',
      reason: 'A dangerous gas fitting',
    })
  if (answers?.gasSupplier === 'no' && answers.gasFitting === 'no')
    found.reasons.push({
      text: 'The incident involved no gas that your organisation distributes or supplies, and no dangerous gas fitting.',
      regulation: '11',
    })
}

type AskIncident = (name: IncidentQuestion) => Answer | undefined

function screenPeople(facts: IncidentFacts, today: string, found: Findings, ask: AskIncident): void {
  for (const person of facts.people)
    if (!person.harm) found.questions.push({ name: 'harm', person: person.id, ...FACT_QUESTIONS.harm })
  const hurt = facts.people.filter(({ harm }) => harm === 'injured' || harm === 'dead')
  if (!hurt.length) {
    if (facts.people.every(({ harm }) => harm === 'none'))
      found.reasons.push({ text: 'Nobody was injured or killed.', regulation: '4 to 6' })
    return
  }
  const workRelated = ask('workRelated')
  if (workRelated === 'no')
    found.reasons.push({
      text: 'The accident was not work-related, so injuries and deaths are not reportable.',
      regulation: '2(2)',
    })
  if (workRelated === 'yes') for (const person of hurt) new PersonScreening(facts, person, today, found, ask).run()
}

/** Screening of one injured or dead person in a work-related accident. */
class PersonScreening {
  private readonly facts: IncidentFacts
  private readonly person: PersonFacts
  private readonly today: string
  private readonly found: Findings
  private readonly askIncident: AskIncident

  constructor(facts: IncidentFacts, person: PersonFacts, today: string, found: Findings, askIncident: AskIncident) {
    this.facts = facts
    this.person = person
    this.today = today
    this.found = found
    this.askIncident = askIncident
  }

  run(): void {
    const { status, harm } = this.person
    if (!status) this.askFact('status')
    if (!status || this.isExempt()) return
    if (harm === 'dead' && !this.diesLater()) this.screenDeath()
    else if (status === 'public') this.screenNonWorker()
    else this.screenWorker()
    if (this.diesLater()) this.screenLaterDeath()
  }

  /** True if regulation 14 excludes the person, or if it is not known yet whether it does. */
  private isExempt(): boolean {
    const armedForces = this.person.status === 'public' ? 'no' : this.ask('armedForces')
    if (armedForces === 'yes')
      return this.refuse('Members of the armed forces on duty are excluded.', PERSON_QUESTIONS.armedForces.regulation)
    const medical = this.ask('medicalTreatment')
    if (medical === 'yes')
      return this.refuse(
        'The injury or death arose from medical treatment carried out or supervised by a doctor or dentist.',
        PERSON_QUESTIONS.medicalTreatment.regulation,
      )
    const road = this.ask('roadVehicle')
    const exception = road === 'yes' ? this.ask('roadException') : undefined
    if (road === 'yes' && exception === 'no')
      return this.refuse(
        'The injury or death arose from the movement of a vehicle on a road, and none of the exceptions applies.',
        '14(3)',
      )
    return !armedForces || !medical || !road || (road === 'yes' && !exception)
  }

  private screenDeath(): void {
    const ownPremises = this.person.status === 'selfEmployed' ? this.ask('ownPremises') : 'no'
    if (ownPremises === 'yes')
      this.refuse('The death of a self-employed person in premises that they own or occupy is not reportable.', '6(1)')
    if (ownPremises === 'no')
      this.report({
        kind: 'death',
        regulation: '6(1)',
        isUrgent: true,
        reportBy: this.after(REPORT_DAYS),
        reason: 'Death in a work-related accident',
      })
  }

  private screenWorker(): void {
    const specified = this.specifiedInjuries()
    const ownPremises = this.person.status === 'selfEmployed' ? this.ask('ownPremises') : 'no'
    if (specified?.length) {
      const names = specified.map((letter) => SPECIFIED_INJURIES[letter]).join('; ')
      this.report({
        kind: 'specifiedInjury',
        regulation: specified.map((letter) => `4(1)(${letter})`).join(', '),
        isUrgent: ownPremises !== 'yes',
        reportBy: this.after(REPORT_DAYS),
        reason: names,
      })
      return
    }
    const { days, overThreeOn, overSevenOn, isOngoing } = countIncapacity(
      this.person.absences ?? [],
      this.facts.day,
      this.today,
    )
    if (overThreeOn) this.found.recorded.push(this.person.id)
    const isLong = overSevenOn ? 'yes' : this.person.absences && !isOngoing ? 'no' : this.ask('overSevenDays')
    if (isLong === 'yes') {
      this.report({
        kind: 'overSevenDays',
        regulation: '4(2)',
        isUrgent: false,
        reportBy: this.after(INCAPACITY_REPORT_DAYS),
        ...(overSevenOn && this.person.answers?.overSevenDays !== 'yes' ? { incapacitatedOn: overSevenOn } : {}),
        reason: overSevenOn
          ? `Unable to do routine work for ${days} consecutive days`
          : 'Will be unable to do routine work for more than seven consecutive days',
      })
      return
    }
    if (isLong === 'no' && specified)
      this.refuse(
        'It was not a specified injury, and the person’s incapacity for routine work does not exceed seven consecutive days.',
        '4',
      )
  }

  /** Returns the specified injuries, or undefined while it is not known whether there is one. */
  private specifiedInjuries(): readonly SpecifiedInjury[] | undefined {
    const { specified } = this.person
    if (!specified) this.askFact('specified')
    if (specified?.length) return specified
    const enclosed = this.ask('enclosedSpace')
    if (enclosed === 'yes') return ['h']
    return specified && enclosed ? [] : undefined
  }

  private screenNonWorker(): void {
    const taken = this.ask('takenToHospital')
    if (taken === 'yes') {
      this.report({
        kind: 'hospital',
        regulation: '5(a)',
        isUrgent: true,
        reportBy: this.after(REPORT_DAYS),
        reason: 'Person not at work, taken from the scene to hospital for treatment',
      })
      return
    }
    if (taken !== 'no') return
    const onPremises = this.ask('onHospitalPremises')
    const specified = onPremises === 'yes' ? this.specifiedInjuries() : []
    if (onPremises === 'yes' && specified?.length) {
      this.report({
        kind: 'hospital',
        regulation: '5(b)',
        isUrgent: true,
        reportBy: this.after(REPORT_DAYS),
        reason: `Person not at work, specified injury on hospital premises: ${specified.map((letter) => SPECIFIED_INJURIES[letter]).join('; ')}`,
      })
      return
    }
    if (onPremises && specified)
      this.refuse(
        'The person was not at work, and there was no transfer from the scene to hospital for treatment.',
        '5',
      )
  }

  /** True if the person died on a later day, of an injury that had to be screened as an injury first. */
  private diesLater(): boolean {
    const { harm, diedOn, status } = this.person
    return harm === 'dead' && status === 'employee' && diedOn !== undefined && diedOn > this.facts.day
  }

  /** The death of an employee within a year of a reportable injury is notified in writing (regulation 6(3)). */
  private screenLaterDeath(): void {
    const { diedOn = '', id } = this.person
    const isReportable = this.found.duties.some(({ person, regulation }) => person === id && regulation.startsWith('4'))
    const lastDay = Temporal.PlainDate.from(this.facts.day).add({ years: 1 }).toString()
    if (diedOn > lastDay) this.refuse('The death occurred more than one year after the accident.', '6(3)')
    else if (isReportable)
      this.report({
        kind: 'laterDeath',
        regulation: '6(3)',
        isUrgent: true,
        reason: 'Death of an employee as a result of a reportable injury, within one year of the accident',
      })
    else this.screenDeath()
  }

  private report(duty: Omit<ReportDuty, 'person' | 'responsible'>): void {
    const { status, id } = this.person
    const isOurs = status === 'employee' ? 'yes' : this.responsibility()
    this.found.duties.push({
      ...duty,
      person: id,
      responsible: isOurs === 'selfEmployed' ? 'selfEmployed' : isOurs === 'no' ? 'other' : 'us',
    })
  }

  /** Regulation 3(1): the employer reports, and for the self-employed and the public the person in control of the premises. */
  private responsibility(): Answer | 'selfEmployed' | undefined {
    const { status, answers } = this.person
    if (status === 'otherEmployer') return 'no'
    if (status === 'selfEmployed' && answers?.ownPremises === 'yes') return 'selfEmployed'
    return this.askIncident('underOurControl')
  }

  private after(days: number): string {
    return addDays(this.facts.day, days)
  }

  private ask(name: PersonQuestion): Answer | undefined {
    const answer = this.person.answers?.[name]
    if (!answer) this.found.questions.push({ name, person: this.person.id, ...PERSON_QUESTIONS[name] })
    return answer
  }

  private askFact(name: 'status' | 'specified'): void {
    this.found.questions.push({ name, person: this.person.id, ...FACT_QUESTIONS[name] })
  }

  private refuse(text: string, regulation: string): true {
    this.found.reasons.push({ text, regulation, person: this.person.id })
    return true
  }
}
