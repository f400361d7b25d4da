import type { Context } from '#server/engine/types.ts'
import type { Reference } from '#server/engine/world.ts'
import { addMissing } from '#server/seed/fill.ts'
import { readReference } from '#server/seed/reference.ts'
import { packIndustry, riskIndustry } from '../industry.ts'
import { standardStatement, task, templateLinkTask } from '../statements/statement.ts'
import { hazard, hazardControl, hazardGroup } from './hazard.ts'
import { availablePpe, ppe } from './ppe.ts'
import type { HierarchyTier } from './tiers.ts'

interface HazardLibrary {
  readonly groups: readonly string[]
  readonly controls: readonly { readonly name: string; readonly description: string; readonly tier: HierarchyTier }[]
  readonly hazards: readonly {
    readonly id: string | number
    readonly name: string
    readonly description: string
    readonly group: string
    readonly industries: readonly string[]
    /** Names of the hazard's controls. */
    readonly controls: readonly string[]
  }[]
}

interface Statement {
  readonly id: number
  readonly title: string
  readonly text: string
  readonly industry: string | null
  readonly default?: boolean
  readonly priority?: number
}

interface StatementLibrary {
  readonly statements: readonly Statement[]
  readonly tasks: readonly Statement[]
}

interface Item {
  readonly id: number
  readonly label: string
  readonly category: string
  readonly standard: string | null
  readonly image: string
  readonly iso7010: string | null
}

/**
 * System templates: rows of client 0, identified by keys that never change. Existing rows keep people's edits; later
 * releases only add rows.
 */
export const libraryReference: Reference = {
  name: 'library',
  needs: ['provider'],
  edition: 1,
  load: async (c) => {
    const industries: readonly string[] = readReference('industries.json')
    await addMissing(
      c,
      riskIndustry,
      'name',
      industries.map((name) => ({ name })),
    )
    await addHazards(c)
    await addStatements(c)
    await addEquipment(c)
  },
}

/** Ids of templates by key. */
const idsByKey = (rows: readonly { readonly id: number; readonly templateKey: string | null }[]) =>
  new Map(rows.map((row) => [row.templateKey, row.id]))

async function addHazards(c: Context): Promise<void> {
  const { groups, controls, hazards }: HazardLibrary = readReference('hazard-library.json')
  await addMissing(
    c,
    hazardGroup,
    'templateKey',
    groups.map((name) => ({ name, templateKey: name })),
  )
  const groupIds = idsByKey(await c.find(hazardGroup, {}))
  await addMissing(
    c,
    hazard,
    'templateKey',
    hazards.map(({ id, name, description, group, industries }) => ({
      name,
      description,
      group: groupIds.get(group),
      industries: [...industries],
      templateKey: String(id),
    })),
  )
  const hazardIds = idsByKey(await c.find(hazard, {}))
  const known = new Map(controls.map((control) => [control.name, control]))
  const rows = hazards.flatMap((one) =>
    one.controls.flatMap((name) => {
      const control = known.get(name)
      return control ? { ...control, hazard: hazardIds.get(String(one.id)), templateKey: `${one.id}/${name}` } : []
    }),
  )
  await addMissing(c, hazardControl, 'templateKey', rows)
}

async function addStatements(c: Context): Promise<void> {
  const { statements, tasks }: StatementLibrary = readReference('method-statement-library.json')
  const industries = new Map((await c.find(packIndustry, {})).map(({ name, id }) => [name, id]))
  const wordsOf = ({ id, title, text, industry }: Statement) => ({
    title,
    text,
    industry: industries.get(industry) ?? null,
    templateKey: String(id),
  })
  await addMissing(
    c,
    standardStatement,
    'templateKey',
    statements.map((one) => ({ ...wordsOf(one), default: one.default ?? false })),
  )
  await addMissing(
    c,
    task,
    'templateKey',
    tasks.map((one) => ({ ...wordsOf(one), priority: one.priority ?? 3 })),
  )
  const offered = (await c.find(task, {})).filter((one) => one.templateKey !== null)
  await addMissing(
    c,
    templateLinkTask,
    'task',
    offered.map(({ id }) => ({ task: id })),
  )
}

/**
 * Kind of the equipment with this picture in COSHH assessments; pictures not listed don't protect against hazardous
 * substances.
 */
const COSHH: Readonly<Record<string, string>> = {
  M004: 'eye protection',
  M009: 'gloves',
  M010: 'clothing',
  M013: 'face shield',
  M016: 'mask',
  M017: 'respirator',
  M022: 'barrier cream',
  M026: 'apron',
  eyewash: 'eyewash',
}

async function addEquipment(c: Context): Promise<void> {
  const { items }: { readonly items: readonly Item[] } = readReference('ppe.json')
  await addMissing(
    c,
    availablePpe,
    'label',
    items.map(({ label, image, category, standard, iso7010 }) => ({ label, image, category, standard, iso7010 })),
  )
  await addMissing(
    c,
    ppe,
    'templateKey',
    items.map(({ id, label, image, category, standard }) => ({
      name: label,
      description: standard ?? '',
      image,
      category,
      coshhValue: COSHH[image] ?? '',
      isStandardCoshh: image in COSHH,
      templateKey: String(id),
    })),
  )
}
