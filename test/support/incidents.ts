import type {
  Answer,
  IncidentFacts,
  IncidentQuestion,
  PersonFacts,
  PersonQuestion,
} from '#modules/incidents/riddor/facts.ts'

export const DAY = '2026-03-02'
export const TODAY = '2026-03-03'

type PersonAnswers = Partial<Record<PersonQuestion, Answer>>

/** Answers of a person in an ordinary case. */
export const PLAIN: PersonAnswers = {
  armedForces: 'no',
  medicalTreatment: 'no',
  roadVehicle: 'no',
  enclosedSpace: 'no',
  overSevenDays: 'no',
  ownPremises: 'no',
  takenToHospital: 'no',
  onHospitalPremises: 'no',
}

export const person = (facts: Partial<PersonFacts> = {}, answers: PersonAnswers = {}): PersonFacts => ({
  id: 1,
  status: 'employee',
  harm: 'injured',
  specified: [],
  ...facts,
  answers: { ...PLAIN, ...answers },
})
export const visitor = (facts: Partial<PersonFacts> = {}, answers: PersonAnswers = {}) =>
  person({ status: 'public', ...facts }, answers)

export interface Scene {
  readonly people?: readonly PersonFacts[]
  readonly answers?: Partial<Record<IncidentQuestion, Answer>>
  readonly rest?: Partial<IncidentFacts>
}

export const incident = ({ people = [person()], answers = {}, rest = {} }: Scene): IncidentFacts => ({
  day: DAY,
  nation: 'greatBritain',
  people,
  answers: {
    workRelated: 'yes',
    underOurControl: 'yes',
    occurrence: 'no',
    diseaseFromWork: 'no',
    gasSupplier: 'no',
    gasFitting: 'no',
    ...answers,
  },
  ...rest,
})
