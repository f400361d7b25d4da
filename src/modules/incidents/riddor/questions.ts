import type { IncidentQuestion, PersonQuestion } from './facts.ts'

export type Answer = 'yes' | 'no'

/** A question of the screening, with the regulation of RIDDOR 2013 (SI 2013/1471) from which it comes. */
export interface Question {
  readonly text: string
  /** Explanation below the question. */
  readonly help?: string
  readonly regulation: string
}

export const INCIDENT_QUESTIONS: Readonly<Record<IncidentQuestion, Question>> = {
  workRelated: {
    text: 'Did the work cause or contribute to the accident?',
    help: 'It did if the way the work was done, organised or supervised, the machinery, plant, substances or equipment, or the condition of the site or premises played a significant part. An act of violence against a person at work counts if it arises from the work. A private quarrel does not.',
    regulation: '2(2)',
  },
  underOurControl: {
    text: 'Was your organisation in control of the premises where it happened?',
    help: 'The person in control of the premises reports dangerous occurrences, and accidents to the self-employed and to people who are not at work.',
    regulation: '3(1)',
  },
  occurrence: {
    text: 'Was this one of the dangerous occurrences of Schedule 2?',
    help: 'Such as the collapse of lifting equipment or of a scaffold over 5 metres, contact with an overhead line, a fire from an electrical fault, an accidental release of a biological agent, or the escape of a flammable substance. It is reportable even if nobody was hurt.',
    regulation: '7',
  },
  diseaseFromWork: {
    text: 'Did the person do the work that causes this disease?',
    regulation: '8',
  },
  gasSupplier: {
    text: 'Does your firm convey flammable gas in pipes, or fill, import or supply (other than by retail) refillable LPG containers, and did somebody die, lose consciousness or go to hospital because of that gas?',
    regulation: '11(1)',
  },
  gasFitting: {
    text: 'Did your registered gas engineer find a fitting that was, or could have been, likely to kill somebody, make them unconscious or send them to hospital?',
    help: 'Because of its design, construction, installation, modification or servicing: leaking gas, incomplete combustion or combustion products that are not removed.',
    regulation: '11(2)',
  },
}

export const PERSON_QUESTIONS: Readonly<Record<PersonQuestion, Question>> = {
  enclosedSpace: {
    text: 'Did the injury come from work in an enclosed space, and did it lead to hypothermia, heat-induced illness, resuscitation or more than 24 hours in hospital?',
    regulation: '4(1)(h)',
  },
  overSevenDays: {
    text: 'Will the person be unable to do their routine work for more than seven days in a row?',
    help: 'The day of the accident does not count. Weekends and rest days count. Light duties count as unable. Enter the absence, and the portal counts the days.',
    regulation: '4(2)',
  },
  takenToHospital: {
    text: 'Was the person taken from the scene to hospital for treatment of the injury?',
    help: 'Examination and diagnostic tests are not treatment. Someone who goes to hospital later by themselves was not taken from the scene.',
    regulation: '5(a)',
  },
  onHospitalPremises: { text: 'Did the accident happen on hospital premises?', regulation: '5(b)' },
  ownPremises: {
    text: 'Was the person self-employed and working in premises that they own or occupy?',
    regulation: '3 and Schedule 1, paragraph 1(2)',
  },
  medicalTreatment: {
    text: 'Did the injury or death arise from an operation, examination or treatment by or under a doctor or dentist?',
    regulation: '14(1)',
  },
  roadVehicle: {
    text: 'Did the injury or death arise from the movement of a vehicle on a public road?',
    regulation: '14(3)',
  },
  roadException: {
    text: 'Did it involve a train, a substance carried by the vehicle, loading or unloading, or work on or beside the road?',
    help: 'The work of the injured person or the work of somebody else.',
    regulation: '14(3)(a) to (d)',
  },
  armedForces: {
    text: 'Was the person a member of the armed forces on duty?',
    regulation: '14(5)',
  },
}
