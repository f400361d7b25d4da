import { toText } from '#kernel/text.ts'
import data from '../../../../db/reference/coshh-equipment.json' with { type: 'json' }
import { parseHazardStatementCodes } from '../substances/banding.ts'
import type { CoshhEquipment } from './equipment.ts'
import type { SubstanceUse } from './substances-used.ts'

/**
 * Conditions on a substance and its use. All conditions that are set must be met; one entry in each list is sufficient.
 */
interface Rule {
  readonly part: string
  readonly names?: readonly string[]
  readonly forms?: readonly string[]
  readonly statements?: readonly string[]
  readonly routes?: readonly string[]
  /** Dustiness or volatility; empty if unknown. */
  readonly levels?: readonly string[]
  readonly propose: readonly (readonly string[])[]
}

/** Protective equipment to propose, with the reasons. It is added to an assessment only when its author confirms it. */
export interface EquipmentProposal {
  readonly label: string
  readonly standard: string
  /** Material, marking or filter type to look for. */
  readonly detail: string
  /** Name of the item in `coshh-equipment.json`. */
  readonly name: string
  /** Substances that need it, each with the statements for which it is proposed. */
  readonly reasons: readonly string[]
  /** Item in the company's library; undefined if there is none. */
  readonly item?: CoshhEquipment
}

const RULES: readonly Rule[] = data.rules
const ITEMS = new Map(data.items.map((one) => [one.item, one]))

/**
 * Returns the library item for an item in `coshh-equipment.json`: one with the same standard and its keyword in the
 * name. Undefined if the library has no such item.
 */
export function findEquipmentInLibrary(name: string, library: readonly CoshhEquipment[]): CoshhEquipment | undefined {
  const wanted = ITEMS.get(name)
  if (!wanted) throw new Error(`coshh-equipment.json has no item "${name}"`)
  const has = new RegExp(`\\b${wanted.standard.replace(/ /g, '\\s')}(?!\\d)`)
  const named = wanted.named.toLowerCase()
  return library.find((one) => has.test(one.standard) && one.label.toLowerCase().includes(named))
}

const meets = <T>(wanted: readonly T[] | undefined, is: (one: T) => boolean) => !wanted || wanted.some(is)

/** Returns the statements to which a rule applies; undefined if it doesn't apply. */
function fits(rule: Rule, used: SubstanceUse): readonly string[] | undefined {
  const codes = (used.hazardStatements ?? []).flatMap(parseHazardStatementCodes)
  const name = toText(used.name).toLowerCase()
  const isMet =
    meets(rule.names, (word) => name.includes(word)) &&
    meets(rule.forms, (form) => form === used.form) &&
    meets(rule.statements, (code) => codes.includes(code)) &&
    meets(rule.routes, (route) => used.routes?.includes(route) === true) &&
    meets(rule.levels, (level) => level === (used.level ?? ''))
  return isMet ? codes.filter((code) => rule.statements?.includes(code)) : undefined
}

/** Proposes protective equipment for the substances of an assessment, by hazard, substance and physical form. */
export function proposeEquipment(
  substances: readonly SubstanceUse[],
  library: readonly CoshhEquipment[],
): EquipmentProposal[] {
  const found = new Map<string, { readonly item: string; readonly detail: string; readonly reasons: string[] }>()
  for (const [i, used] of substances.entries())
    for (const part of new Set(RULES.map((rule) => rule.part))) {
      const rule = RULES.find((one) => one.part === part && fits(one, used))
      const codes = (rule && fits(rule, used)) ?? []
      const name = toText(used.name).trim() || `Substance ${i + 1}`
      for (const [item = '', detail = ''] of rule?.propose ?? []) {
        const key = `${item} ${detail}`
        const entry = found.get(key) ?? { item, detail, reasons: [] }
        entry.reasons.push(codes.length ? `${name} (${codes.join(', ')})` : name)
        found.set(key, entry)
      }
    }
  return [...found.values()].map(({ item: name, detail, reasons }) => {
    const item = findEquipmentInLibrary(name, library)
    const { label = '', standard = '' } = ITEMS.get(name) ?? {}
    return {
      name,
      label: item?.label ?? label,
      standard: item?.standard || standard,
      detail,
      reasons,
      ...(item && { item }),
    }
  })
}

/**
 * Returns the chosen equipment with a proposal added. An item that is already chosen gets the proposal's detail as
 * well.
 */
export function addProposedEquipment(
  worn: readonly CoshhEquipment[],
  { item, detail }: EquipmentProposal,
): readonly CoshhEquipment[] {
  if (!item) return worn
  const already = worn.find((one) => one.id === item.id)
  if (!already) return [...worn, { ...item, detail }]
  if (already.detail?.includes(detail)) return worn
  const both = already.detail ? `${already.detail} ${detail}` : detail
  return worn.map((one) => (one === already ? { ...one, detail: both } : one))
}

/** Returns true if a proposal's item has been chosen with the proposal's detail. */
export const isProposalWorn = (worn: readonly CoshhEquipment[], proposal: EquipmentProposal): boolean =>
  proposal.item !== undefined && addProposedEquipment(worn, proposal) === worn
