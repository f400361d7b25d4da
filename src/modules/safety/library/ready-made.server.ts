import { readReferenceFile, readReferenceFolder } from '#server/seed/reference.ts'
import type { ControlHierarchyTier } from './hazard.ts'

interface LibraryControl {
  /** One-line instruction, such as "Lock off the supply and prove it dead". */
  readonly name: string
  readonly description: string
  readonly tier: ControlHierarchyTier
}

/** Hazard of the provider's library. `key` never changes: it identifies the hazard in later releases. */
export interface LibraryHazard {
  readonly key: string
  readonly name: string
  readonly description: string
  readonly group: string
  readonly industries: readonly string[]
  readonly controls: readonly LibraryControl[]
}

/** Hazard of a risk assessment template, with its own controls and ratings. `source` names laws and guidance. */
interface RatedHazard {
  readonly hazard: string
  readonly group: string
  /** People who may be harmed by this hazard; the template's `persons` if missing. */
  readonly persons?: string
  readonly description: string
  readonly source: readonly string[]
  readonly probability: number
  readonly severity: number
  readonly residualProbability: number
  readonly residualSeverity: number
  readonly controls: readonly LibraryControl[]
}

/** Template for a risk assessment, from `db/reference/risk-templates`, which has a file for each trade. */
interface RiskTemplate {
  readonly title: string
  readonly industry: string
  readonly groupsAffected: readonly string[]
  readonly persons: string
  /** Title of the library statement that replaces the default "Emergency arrangements". */
  readonly emergency?: string
  /** Titles of the library tasks for this work, in order. */
  readonly tasks: readonly string[]
  /** Labels of the library's PPE items. */
  readonly ppe: readonly string[]
  readonly hazards: readonly RatedHazard[]
}

interface GeneralLibrary {
  readonly groups: readonly string[]
  readonly controls: readonly LibraryControl[]
  readonly hazards: readonly {
    readonly id: number
    readonly name: string
    readonly description: string
    readonly group: string
    readonly industries: readonly string[]
    /** Names of the hazard's controls. */
    readonly controls: readonly string[]
  }[]
}

const readGeneralLibrary = (): GeneralLibrary => readReferenceFile('hazard-library.json')

export const readHazardGroups = (): readonly string[] => readGeneralLibrary().groups

export const readRiskTemplates = (): RiskTemplate[] =>
  readReferenceFolder('risk-templates').flatMap(({ templates }: { readonly templates: RiskTemplate[] }) => templates)

/** Returns the library keys of PPE items. Throws if there is no item with one of the labels. */
export function ppeKeys(labels: readonly string[]): string[] {
  const { items }: { readonly items: readonly { readonly id: number; readonly label: string }[] } =
    readReferenceFile('ppe.json')
  return labels.map((label) => {
    const item = items.find((one) => one.label === label)
    if (!item) throw new Error(`There is no PPE called "${label}"`)
    return String(item.id)
  })
}

/** Returns the library key of a template's hazard. */
export const templateHazardKey = ({ group, hazard }: Pick<RatedHazard, 'group' | 'hazard'>): string =>
  `${group}/${hazard}`

/** Returns the whole library: the general hazards, then those of the risk assessment templates, for their industry. */
export function readHazardLibrary(): LibraryHazard[] {
  const { controls, hazards } = readGeneralLibrary()
  const known = new Map(controls.map((control) => [control.name, control]))
  const general = hazards.map(({ id, controls: names, ...hazard }) => ({
    ...hazard,
    key: String(id),
    controls: names.map((name) => {
      const control = known.get(name)
      if (!control) throw new Error(`The hazard library has no control "${name}"`)
      return control
    }),
  }))
  const ofTrades = readRiskTemplates().flatMap(({ industry, hazards: all }) =>
    all.map((h) => ({
      key: templateHazardKey(h),
      name: h.hazard,
      description: h.description,
      group: h.group,
      industries: [industry],
      controls: h.controls,
    })),
  )
  return [...general, ...ofTrades]
}
