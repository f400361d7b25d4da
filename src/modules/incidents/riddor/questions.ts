import { isPlainObject } from '#kernel/forms/rows.ts'
import type { IncidentQuestion, PersonQuestion } from './facts.ts'

/** A question of the screening, with the regulation of RIDDOR 2013 (SI 2013/1471) from which it comes. */
export interface Question {
  readonly text: string
  /** Explanation below the question. */
  readonly help?: string
  readonly regulation: string
}

export const INCIDENT_QUESTIONS: Readonly<Record<IncidentQuestion, Question>> = {
  workRelated: {
    text: 'Was the accident work-related?',
    help: 'Yes, if any of these played a significant part: the way the work was organised, supervised or carried out; the machinery, plant, substances or equipment used; or the condition of the site or premises. Violence against a person at work counts if it arises from the work. A private quarrel does not.',
    regulation: '2(2)',
  },
  underOurControl: {
    text: 'Was your organisation in control of the premises where it happened?',
    help: 'The person in control of the premises reports dangerous occurrences, and accidents to the self-employed and to people who are not at work.',
    regulation: '3(1)',
  },
  occurrence: {
    text: 'Was this a dangerous occurrence listed in Schedule 2?',
    help: 'Examples: collapse of lifting equipment or of a scaffold more than 5 metres high; contact with an overhead power line; a fire caused by an electrical fault; accidental release of a biological agent; escape of a flammable substance. A dangerous occurrence is reportable even if nobody was hurt.',
    regulation: '7',
  },
  diseaseFromWork: {
    text: 'Did the person’s work involve the activity or exposure listed for this disease?',
    regulation: '8',
  },
  gasSupplier: {
    text: 'Does your organisation distribute flammable gas through a fixed pipe system, or fill, import or supply (other than by retail) refillable LPG containers, and has anybody died, lost consciousness or been taken to hospital because of that gas?',
    regulation: '11(1)',
  },
  gasFitting: {
    text: 'Did your Gas Safe registered engineer find a gas fitting that was, or could have been, likely to cause anybody to die, lose consciousness or be taken to hospital?',
    help: 'The danger must come from the design, construction, installation, modification or servicing of the fitting, through accidental leakage of gas, incomplete combustion or inadequate removal of combustion products.',
    regulation: '11(2)',
  },
}

export const PERSON_QUESTIONS: Readonly<Record<PersonQuestion, Question>> = {
  enclosedSpace: {
    text: 'Did the injury come from work in an enclosed space, and did it lead to hypothermia, heat-induced illness, resuscitation or more than 24 hours in hospital?',
    regulation: '4(1)(h)',
  },
  overSevenDays: {
    text: 'Will the person be unable to do their routine work for more than seven consecutive days?',
    help: 'The day of the accident does not count. Weekends and rest days count. A person on light duties counts as unable to do routine work. Enter the dates of the absence; the portal counts the days.',
    regulation: '4(2)',
  },
  takenToHospital: {
    text: 'Was the person taken from the scene to hospital for treatment of the injury?',
    help: 'Examination and diagnostic tests are not treatment. A person who later makes their own way to hospital does not count as taken from the scene.',
    regulation: '5(a)',
  },
  onHospitalPremises: { text: 'Did the accident happen on hospital premises?', regulation: '5(b)' },
  ownPremises: {
    text: 'Was the person self-employed and working in premises that they own or occupy?',
    regulation: '3 and Schedule 1, paragraph 1(2)',
  },
  medicalTreatment: {
    text: 'Did the injury or death arise from an operation, examination or other medical treatment carried out or supervised by a doctor or dentist?',
    regulation: '14(1)',
  },
  roadVehicle: {
    text: 'Did the injury or death arise from the movement of a vehicle on a public road?',
    regulation: '14(3)',
  },
  roadException: {
    text: 'Did it involve a train, a substance carried by the vehicle, loading or unloading, or work on or beside the road?',
    help: 'Loading, unloading and road work count, whether the injured person or another person was doing them.',
    regulation: '14(3)(a) to (d)',
  },
  armedForces: {
    text: 'Was the person a member of the armed forces on duty?',
    regulation: '14(5)',
  },
}

/** Returns true if a value is an object with known questions only, each answered with yes or no. */
export const areAnswers = (value: unknown, questions: Readonly<Record<string, Question>>): boolean =>
  isPlainObject(value) &&
  Object.entries(value).every(
    ([name, answer]) => Object.hasOwn(questions, name) && (answer === 'yes' || answer === 'no'),
  )
