import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Problem, problem, violation } from '#kernel/errors.ts'
import { parseId } from '#kernel/iri.ts'
import { iriOf, type Resource } from '#kernel/resource.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { toText } from '#kernel/text.ts'
import { type Instant, toUnixSeconds } from '#kernel/time.ts'
import type { BeforeSaveInput } from '#server/engine/behaviour.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { serialiseWrittenRecord } from '#server/engine/field-access.ts'
import type { ReferenceData } from '#server/engine/initial-data.ts'
import { feature } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import { RouteResponse } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'
import { idsChangedByUsers, insertMissingRows, loadLatestRows } from '#server/seed/fill.ts'
import { readReferenceFile } from '#server/seed/reference.ts'
import { packIndustry, riskIndustry } from '../industry.ts'
import { standardStatement, task, templateLinkTask } from '../statements/statement.ts'
import { hazard, hazardControl, hazardGroup } from './hazard.ts'
import { availablePpe, ppe } from './ppe.ts'
import { readHazardGroups, readHazardLibrary } from './ready-made.server.ts'

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
  /** Kind of equipment in COSHH assessments; null if the item doesn't protect against hazardous substances. */
  readonly coshh: string | null
}

/**
 * System templates: records of client 0, each identified by a key that never changes. A later release adds records,
 * corrects the records that no user has changed, and retires those of them that it no longer contains.
 */
export const libraryReferenceData: ReferenceData = {
  name: 'library',
  needs: ['provider'],
  edition: 3,
  load: async (c) => {
    const industries: readonly string[] = readReferenceFile('industries.json')
    await insertMissingRows(
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

/** Maps template keys to IDs. */
const idsByKey = (rows: readonly { readonly id: number; readonly templateKey: string | null }[]) =>
  new Map(rows.map((row) => [row.templateKey, row.id]))

async function addHazards(c: Context): Promise<void> {
  await insertMissingRows(
    c,
    hazardGroup,
    'templateKey',
    readHazardGroups().map((name) => ({ name, templateKey: name })),
  )
  const groupIds = idsByKey(await c.find(hazardGroup, {}))
  const hazards = readHazardLibrary()
  await loadLatestRows(
    c,
    hazard,
    'templateKey',
    hazards.map(({ key, name, description, group, industries }) => ({
      name,
      description,
      group: groupIds.get(group),
      industries: [...industries],
      templateKey: key,
    })),
  )
  const hazardIds = idsByKey(await c.find(hazard, {}))
  const rows = hazards.flatMap(({ key, controls }) =>
    controls.map((control) => ({
      ...control,
      hazard: hazardIds.get(key),
      templateKey: `${key}/${control.name}`,
    })),
  )
  await loadLatestRows(c, hazardControl, 'templateKey', rows)
  await retireFormerHazards(
    c,
    new Set(hazards.map(({ key }) => key)),
    new Set(rows.map(({ templateKey }) => templateKey)),
  )
}

/**
 * Retires controls of earlier releases whose keys the library no longer contains, and then hazards that have no
 * controls left. Leaves records that users have changed unchanged.
 */
async function retireFormerHazards(
  c: Context,
  keys: ReadonlySet<string>,
  controlKeys: ReadonlySet<string>,
): Promise<void> {
  const offered = { client: PROVIDER_CLIENT_ID, retired: false }
  const changedControls = await idsChangedByUsers(c, hazardControl)
  for (const one of await c.find(hazardControl, offered))
    if (one.templateKey !== null && !controlKeys.has(one.templateKey) && !changedControls.has(one.id))
      await (await c.change(hazardControl, one, { retired: true })).saved()
  const controlled = new Set((await c.find(hazardControl, offered)).map((control) => control.hazard))
  const changedHazards = await idsChangedByUsers(c, hazard)
  for (const one of await c.find(hazard, offered))
    if (
      one.templateKey !== null &&
      !keys.has(one.templateKey) &&
      !controlled.has(one.id) &&
      !changedHazards.has(one.id)
    )
      await (await c.change(hazard, one, { retired: true })).saved()
}

async function addStatements(c: Context): Promise<void> {
  const { statements, tasks }: StatementLibrary = readReferenceFile('method-statement-library.json')
  const industries = new Map((await c.find(packIndustry, {})).map(({ name, id }) => [name, id]))
  const wordsOf = ({ id, title, text, industry }: Statement) => ({
    title,
    text,
    industry: industries.get(industry) ?? null,
    templateKey: String(id),
  })
  await loadLatestRows(
    c,
    standardStatement,
    'templateKey',
    statements.map((one) => ({ ...wordsOf(one), default: one.default ?? false })),
  )
  await loadLatestRows(
    c,
    task,
    'templateKey',
    tasks.map((one) => ({ ...wordsOf(one), priority: one.priority ?? 3 })),
  )
  const offered = (await c.find(task, {})).filter((one) => one.templateKey !== null)
  await insertMissingRows(
    c,
    templateLinkTask,
    'task',
    offered.map(({ id }) => ({ task: id })),
  )
}

async function addEquipment(c: Context): Promise<void> {
  const { items }: { readonly items: readonly Item[] } = readReferenceFile('ppe.json')
  await insertMissingRows(
    c,
    availablePpe,
    'label',
    items.map(({ label, image, category, standard, iso7010 }) => ({ label, image, category, standard, iso7010 })),
  )
  await insertMissingRows(
    c,
    ppe,
    'templateKey',
    items.map(({ id, label, image, category, standard, coshh }) => ({
      name: label,
      description: standard ?? '',
      image,
      category,
      coshhValue: coshh ?? '',
      isStandardCoshh: coshh !== null,
      templateKey: String(id),
    })),
  )
}

/**
 * Returns SQL that normalises names for comparison, ignoring case, spaces and punctuation. Both names are normalised in
 * the database, so that the same rules apply.
 */
const folded = (sql: string) => `regexp_replace(lower(${sql}), '[^[:alnum:]]+', '', 'g')`

interface DuplicateCheck {
  /** Noun for the item in the error message, with its article, such as "a hazard". */
  readonly thing: string
  /** Other columns that must also be equal, if the name alone is not specific enough. */
  readonly alike?: Readonly<Record<string, unknown>>
  /** SQL condition that limits the check to the provider's records that clients can use. */
  readonly offered?: string
}

type Values = Readonly<Record<string, unknown>>

/**
 * Throws 409, with the existing item's IRI, if a new or renamed library item has the same name as another item. The
 * client then uses the existing item or sends `keepBoth`.
 */
export async function assertLibraryNameUnused<R extends Resource>(
  c: Context & BeforeSaveInput<R>,
  r: R,
  { thing, alike = {}, offered = 'true' }: DuplicateCheck,
): Promise<void> {
  const title = r.title ?? 'name'
  const [changes, before] = [c.changes as Values, c.before as Values | undefined]
  const name = toText(changes[title]).trim()
  if (!name || changes.keepBoth === true || c.actor.kind === 'system') return
  const column = r.columns[title]
  const other = Object.entries(alike).map(([field, value], i) => {
    const mine = `t.${r.columns[field]}`
    return typeof value === 'string' ? `${folded(mine)} = ${folded(`$${i + 5}::text`)}` : `${mine} = $${i + 5}::bigint`
  })
  const mine = `(t.client_id = $1 OR t.client_id = ${PROVIDER_CLIENT_ID} AND ${offered})`
  const text = `SELECT t.id, t.${column} AS name FROM ${r.table} t WHERE ${mine} AND NOT t.retired AND t.id IS DISTINCT FROM $2::bigint
    AND ${folded(`t.${column}`)} = ${folded('$3::text')} AND ${folded('$3::text')} NOT IN ('', ${folded('$4::text')})
    ${other.map((one) => `AND ${one}`).join(' ')} ORDER BY t.client_id = $1 DESC, t.id LIMIT 1`
  const given = [c.clientId, before?.id ?? null, name, toText(before?.[title]), ...Object.values(alike)]
  const [there] = await c.work.tx.rows<{ id: number; name: string }>(text, given)
  if (!there) return
  throw new Problem(409, `There is already ${thing} named “${there.name}”. Use the existing one, or keep both.`, {
    code: 'already_there',
    more: { existing: iriOf(r, there.id) },
  })
}

/** Route that copies a hazard and its controls to the user's own library, for example to adapt a template. */
const copyHazardRoute: Route = {
  method: 'POST',
  path: `${hazard.url}/{id}/copy`,
  title: 'Copy a hazard and its controls to the user’s own library',
  allow: hazard.allow.create ?? 'nobody',
  whileImpersonating: true,
  handle: (c) =>
    c.engine.inTenant(c.me.clientId, { ...c.change(), resource: hazard }, async (unit) => {
      const id = parseId(c.params.id)
      const from = id === undefined ? undefined : await unit.get(hazard, id)
      if (!from) throw problem.notFound()
      const { name, description, industries, group } = from
      const made = await unit.create(hazard, { name, description, industries, group, keepBoth: true })
      const { id: copy } = await made.saved()
      for (const control of await unit.find(hazardControl, { hazard: from.id, retired: false })) {
        const { name, description, tier } = control
        await unit.create(hazardControl, { hazard: copy, name, description, tier, keepBoth: true })
      }
      return () => serialiseWrittenRecord(hazard, c.me, made)
    }),
}

/** Sets the modification time of a changed record. */
const stampChange = (c: { readonly before: unknown; readonly changes: object; readonly now: Instant }) =>
  c.before && !Object.keys(c.changes).length ? undefined : { changedOn: toUnixSeconds(c.now) }

/**
 * Rules for hazards. A hazard's industries must be in the list. They are saved by name, because hazards are ranked by
 * industry name.
 */
const hazardBehaviour = behaviour(hazard, {
  beforeSave: async (c) => {
    const names = c.changes.industries ?? []
    const known = names.length ? await c.find(riskIndustry, { name: names }) : []
    if (known.length !== new Set(names).size)
      throw problem.invalid([violation('industries', 'Please choose industries from the list')])
    await assertLibraryNameUnused(c, hazard, { thing: 'a hazard' })
    return stampChange(c)
  },
  // Retires or restores the controls together with their hazard.
  afterSave: async (c) => {
    const { before, changes } = c
    if (!before || changes.retired === undefined) return
    const { retired } = changes
    const which = retired ? { retired: false } : { retired: true, retiredWithHazard: true }
    for (const control of await c.find(hazardControl, { hazard: before.id, ...which }))
      if (control.clientId === c.clientId)
        await c.change(hazardControl, control, { retired, retiredWithHazard: retired === true })
  },
})

/** Rules for controls. If a control is retired or restored on its own, clears its `retiredWithHazard` flag. */
const controlBehaviour = behaviour(hazardControl, {
  beforeSave: async (c) => {
    await assertLibraryNameUnused(c, hazardControl, { thing: 'a control', alike: { hazard: c.values.hazard } })
    return {
      ...stampChange(c),
      ...(c.before && c.changes.retired !== undefined && c.changes.retiredWithHazard === undefined
        ? { retiredWithHazard: false }
        : {}),
    }
  },
})

/** Rules for hazard groups. A group that contains hazards can't be retired, because those hazards would be hidden. */
const groupBehaviour = behaviour(hazardGroup, {
  beforeSave: async (c) => {
    if (!c.before || !c.changes.retired) return undefined
    const held = await c.find(hazard, { group: c.before.id, retired: false })
    if (held.length)
      throw problem.conflict('This group still contains hazards. Move or retire the hazards first.', 'in_use')
    return undefined
  },
})

/** Rules for protective equipment. The category is set from the picture, and unavailable pictures are rejected. */
const ppeBehaviour = behaviour(ppe, {
  beforeSave: async (c) => {
    const { image } = c.changes
    await assertLibraryNameUnused(c, ppe, { thing: 'a PPE item' })
    if (!image) return undefined
    const [known] = await c.find(availablePpe, { image, retired: false })
    if (!known) throw problem.invalid([violation('image', 'PPE Image must be selected')])
    return { category: known.category }
  },
})

const libraryBehaviours = [hazardBehaviour, controlBehaviour, groupBehaviour, ppeBehaviour]

const PPE_SIGNS_FOLDER = join(import.meta.dirname, '../../../../db/reference/ppe-signs')

const SVG_TYPE = 'image/svg+xml; charset=utf-8'

let ppeDrawings: ReadonlyMap<string, string> | undefined
const readPpeDrawings = () =>
  new Map(
    readdirSync(PPE_SIGNS_FOLDER)
      .filter((name) => name.endsWith('.svg'))
      .map((name) => [name, readFileSync(join(PPE_SIGNS_FOLDER, name), 'utf8')]),
  )

/** Route for drawings of protective equipment. The route is public, because an `<img>` element sends no token. */
const ppeDrawingRoute: Route = {
  method: 'GET',
  path: '/api/safety/ppe_signs/{name}',
  title: 'Get the safety sign for an item of PPE, as SVG',
  allow: 'anonymous',
  file: [SVG_TYPE],
  handle: ({ params }) => {
    ppeDrawings ??= readPpeDrawings()
    const drawing = ppeDrawings.get(params.name ?? '')
    if (drawing === undefined) throw problem.notFound()
    return new RouteResponse(200, drawing, {
      'content-type': SVG_TYPE,
      'cache-control': 'public, max-age=86400',
      'content-security-policy': "default-src 'none'",
    })
  },
}

export const safetyLibraryFeature = feature({
  pack: 'safety',
  resources: [hazardGroup, hazard, hazardControl, riskIndustry, packIndustry, availablePpe, ppe],
  behaviours: libraryBehaviours,
  routes: [copyHazardRoute, ppeDrawingRoute],
  referenceData: [libraryReferenceData],
  seeds: () => import('./demo.server.ts'),
})
