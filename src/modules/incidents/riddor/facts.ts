/** Injuries specified in regulation 4(1) of RIDDOR 2013, by letter. */
export const SPECIFIED_INJURIES = {
  a: 'A broken bone diagnosed by a doctor, other than a finger, thumb or toe',
  b: 'Amputation of an arm, hand, finger, thumb, leg, foot or toe',
  c: 'An injury diagnosed by a doctor as likely to cause permanent blinding or reduction in sight in one or both eyes',
  d: 'A crush injury to the head or torso that damages the brain or an internal organ',
  e: 'A burn or scald that covers more than 10% of the body, or causes significant damage to the eyes, the respiratory system or other vital organs',
  f: 'Scalping that needs hospital treatment',
  g: 'Loss of consciousness caused by a head injury or asphyxia',
  h: 'Another injury from work in an enclosed space that led to hypothermia, heat-induced illness, resuscitation or more than 24 hours in hospital',
} as const
export type SpecifiedInjury = keyof typeof SPECIFIED_INJURIES

/** Diseases in regulation 8, with the work that must have caused them, and in regulation 9. */
export const REPORTABLE_DISEASES = {
  carpalTunnel: {
    name: 'Carpal tunnel syndrome',
    regulation: '8(a)',
    work: 'regular use of percussive or vibrating tools',
  },
  cramp: {
    name: 'Cramp of the hand or forearm',
    regulation: '8(b)',
    work: 'prolonged periods of repetitive movement of the fingers, hand or arm',
  },
  dermatitis: {
    name: 'Occupational dermatitis',
    regulation: '8(c)',
    work: 'significant or regular exposure to a known skin sensitiser or irritant',
  },
  handArmVibration: {
    name: 'Hand-arm vibration syndrome',
    regulation: '8(d)',
    work: 'regular use of percussive or vibrating tools, or of materials held against machines that vibrate them',
  },
  asthma: {
    name: 'Occupational asthma',
    regulation: '8(e)',
    work: 'significant or regular exposure to a known respiratory sensitiser',
  },
  tendonitis: {
    name: 'Tendonitis or tenosynovitis of the hand or forearm',
    regulation: '8(f)',
    work: 'physically demanding tasks with frequent, repetitive movements',
  },
  cancer: {
    name: 'Cancer caused by work',
    regulation: '9(a)',
    work: 'exposure to a known human carcinogen or mutagen, ionising radiation included',
  },
  biological: {
    name: 'Disease caused by a biological agent at work',
    regulation: '9(b)',
    work: 'exposure to that agent',
  },
} as const
export type ReportableDisease = keyof typeof REPORTABLE_DISEASES

/**
 * Consecutive days, both included, on which a person could not do their routine work. The period is ongoing if `until`
 * is missing.
 */
export interface AbsencePeriod {
  readonly from: string
  readonly until?: string | undefined
}

/** Facts about one injured, ill or dead person. A missing value is unknown. Dates have the form `2026-11-30`. */
export interface PersonFacts {
  readonly id: number
  /** `public`: not at work. Trainees and people on work experience count as employees. */
  readonly status?: 'employee' | 'selfEmployed' | 'otherEmployer' | 'public' | undefined
  /** `none`: the person was not hurt. */
  readonly harm?: 'none' | 'injured' | 'dead' | undefined
  /** Day of the death, if it is not the day of the accident. */
  readonly diedOn?: string | undefined
  /** Specified injuries in regulation 4(1); empty if there are none of (a) to (g). */
  readonly specified?: readonly SpecifiedInjury[] | undefined
  readonly absences?: readonly AbsencePeriod[] | undefined
  /** Injury of form F2508 by the IDs of its lists. The screening does not judge it; a decision is based on it. */
  readonly injury?:
    | { readonly sustained: number; readonly bodyPart: number; readonly effects: readonly number[] }
    | undefined
  readonly answers?: Readonly<Partial<Record<PersonQuestion, Answer>>> | undefined
}

/** Facts about an incident. A missing value is unknown. */
export interface IncidentFacts {
  /** Day of the accident in Europe/London. */
  readonly day: string
  readonly nation?: 'greatBritain' | 'northernIreland' | 'elsewhere' | undefined
  readonly people: readonly PersonFacts[]
  /** Dangerous occurrences in Schedule 2 that were chosen for the incident. */
  readonly occurrences?: readonly string[] | undefined
  readonly disease?: { readonly kind: ReportableDisease; readonly diagnosedOn?: string | undefined } | undefined
  /** Day on which a firm of the gas industry learned of the injury or of the dangerous fitting. */
  readonly gasLearnedOn?: string | undefined
  readonly answers?: Readonly<Partial<Record<IncidentQuestion, Answer>>> | undefined
}

/** Answer to a question of the screening. */
export type Answer = 'yes' | 'no'

/** Questions about the incident that only a person can answer. */
export type IncidentQuestion =
  | 'workRelated'
  | 'underOurControl'
  | 'occurrence'
  | 'diseaseFromWork'
  | 'gasSupplier'
  | 'gasFitting'

/** Questions about one person that only a person can answer. */
export type PersonQuestion =
  | 'enclosedSpace'
  | 'overSevenDays'
  | 'takenToHospital'
  | 'onHospitalPremises'
  | 'ownPremises'
  | 'medicalTreatment'
  | 'roadVehicle'
  | 'roadException'
  | 'armedForces'
