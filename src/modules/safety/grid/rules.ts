import { hasVisibleText, toText } from '#kernel/text.ts'
import type { ControlTier } from './line.ts'

/** Fields of a grid line that the rules read. */
export interface RiskAssessmentLine {
  readonly hazard?: unknown
  readonly hazardName?: unknown
  readonly control?: unknown
  readonly controlName?: unknown
  readonly tier?: unknown
  readonly persons?: unknown
  readonly judged?: unknown
  readonly probability?: unknown
  readonly severity?: unknown
  readonly residualProbability?: unknown
  readonly residualSeverity?: unknown
  readonly residualReason?: unknown
  readonly responsible?: unknown
  readonly implemented?: unknown
  readonly implementedUnknown?: unknown
  readonly plannedFor?: unknown
  readonly ppeReason?: unknown
  /** True for a copied line that is not yet confirmed for this document. */
  readonly unconfirmed?: unknown
  readonly confirmedBy?: unknown
  readonly retired?: unknown
}

/** Words for equipment that a person wears. */
const PPE_WORDS =
  /\b(masks?|respirators?|rpe|ppe|ffp[123]|gloves?|gauntlets?|goggles|safety glasses|eye protection|visors?|face shields?|helmets?|hard hats?|bump caps?|hi-?vis\w*|high[- ]visibility|boots|footwear|harness(es)?|lanyards?|ear (defenders|muffs|plugs)|hearing protection|coveralls?|overalls|aprons?|life ?jackets?|buoyancy aids?|knee ?pads|chaps|protective (clothing|equipment))\b/i

/** Words for people's actions, even if equipment is named as well. */
const ACTION_WORDS =
  /\b(inspect\w*|check\w*|train\w*|brief\w*|instruct\w*|supervis\w*|permits?|procedures?|sign(s|age)?|plans?|rotat\w*|rota|induct\w*|competent|monitor\w*|records?|register|toolbox talks?|method statements?|housekeeping|exclusion zones?|banksm[ae]n|marshals?|survey\w*|review\w*|tests?|testing|surveillance)\b/i

const TYPE_WORDS: readonly (readonly [ControlTier, RegExp])[] = [
  [
    'engineering',
    /\b(guards?|guarding|guard ?rails?|handrails?|edge protection|barriers?|fenc\w*|hoardings?|extraction|lev|ventilat\w*|dust suppression|wet cutting|damp\w* down|rcds?|110 ?v|low voltage|interlocks?|enclos\w*|screens?|scaffold\w*|platforms?|mewps?|trench (box|sheet)\w*|shor\w+|propp?\w*|bollards?|isolat\w*|lock(ed|ing)? off|hoists?|trolleys?|cranes?|nets?|netting|airbags?|alarms?|sensors?|lighting|covers?|bund\w*|m-class)\b/i,
  ],
  [
    'substitute',
    /\b(substitut\w*|replac\w+ (it )?with|instead of|water-based|low-solvent|battery[- ]powered|cordless)\b/i,
  ],
  [
    'eliminate',
    /\b(eliminat\w*|avoid(ed|ing)?|do away with|from the ground|prefabricat\w*|off[- ]site|disconnect\w*)\b/i,
  ],
]

/**
 * Proposes a control's type from its wording; undefined if the wording doesn't indicate one. A proposal is shown to the
 * author, and is never printed as if it had been entered.
 */
export function proposeControlTier(words: string): ControlTier | undefined {
  if (ACTION_WORDS.test(words)) return 'administrative'
  if (PPE_WORDS.test(words)) return 'ppe'
  return TYPE_WORDS.find(([, pattern]) => pattern.test(words))?.[0]
}

/**
 * Returns true if the control is equipment that a person wears: by its type or, if its type is less specific, by its
 * wording.
 */
export const isPpeControl = ({ tier, controlName }: RiskAssessmentLine): boolean =>
  tier === 'ppe' || ((!tier || tier === 'administrative') && proposeControlTier(toText(controlName)) === 'ppe')

/** Returns true if the control's type or status (in place or planned) is unknown. */
export const isControlUnconfirmed = ({ tier, implemented, implementedUnknown }: RiskAssessmentLine): boolean =>
  !tier || (implementedUnknown === true && implemented !== 'no')

/** Returns true if the line is a control, and false if it is the hazard itself. */
export const isControlLine = (line: RiskAssessmentLine): boolean => Boolean(line.control || line.controlName)

/** Returns true if the line is a control that is not in place yet. */
export const isPlannedControl = (line: RiskAssessmentLine): boolean =>
  isControlLine(line) && line.implemented === 'no' && line.retired !== true

/**
 * Returns the name of a control with its hazard. It identifies the control in all revisions of an assessment, whose
 * lines have different IDs.
 */
export const controlWithHazard = ({ hazardName, controlName }: RiskAssessmentLine): string =>
  `${toText(hazardName)}: ${toText(controlName)}`

/** Returns true if the hazard has a planned control with a person responsible and a date. */
export const hasPlannedControl = (head: RiskAssessmentLine, controls: readonly RiskAssessmentLine[]): boolean =>
  controls.some(
    (l) =>
      l.implemented === 'no' &&
      hasVisibleText(toText(l.plannedFor)) &&
      (hasVisibleText(toText(l.responsible)) || hasVisibleText(toText(head.responsible))),
  )

/** Returns the key shared by all lines of a hazard: the library hazard's IRI, or the typed name. */
const hazardKey = (line: RiskAssessmentLine): string =>
  toText((line.hazard as { '@id'?: string } | null | undefined)?.['@id'] ?? line.hazard) ||
  `name:${toText(line.hazardName).trim().toLowerCase()}`

/**
 * Groups lines by hazard. Each hazard line starts a group, so that two hazards with the same name remain separate. A
 * control joins its hazard's group, wherever the control is in the list. Controls without a hazard line also form a
 * group.
 */
export function groupLinesByHazard<T extends RiskAssessmentLine>(lines: readonly T[]): T[][] {
  const groups: T[][] = []
  const newest = new Map<string, T[]>()
  for (const line of lines) {
    const key = hazardKey(line)
    const group = isControlLine(line) ? newest.get(key) : undefined
    if (group) group.push(line)
    else {
      const begun = [line]
      groups.push(begun)
      newest.set(key, begun)
    }
  }
  return groups
}
