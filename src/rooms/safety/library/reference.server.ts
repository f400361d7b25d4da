import type { Tx } from '#server/db/db.ts'
import type { Reference } from '#server/engine/world.ts'
import { readReference } from '#server/world/reference.ts'

interface Statement {
  readonly id: number
  readonly title: string
  readonly text: string
  readonly industry: string | null
  readonly default?: boolean
  readonly priority?: number
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
 * The system templates: rows of client 0, known by keys that never change. A row that is there is left as people have made
 * it; a later edition only adds.
 */
export const libraryReference: Reference = {
  name: 'library',
  needs: ['provider'],
  edition: 1,
  load: async (c) => {
    const { tx } = c.work
    await tx.rows(
      'INSERT INTO industry (name) SELECT jsonb_array_elements_text($1::jsonb) ON CONFLICT (name) DO NOTHING',
      [JSON.stringify(readReference('industries.json'))],
    )
    await hazards(tx)
    await statements(tx)
    await equipment(tx)
  },
}

async function hazards(tx: Tx): Promise<void> {
  const library = JSON.stringify(readReference('hazard-library.json'))
  await tx.rows(
    `INSERT INTO hazard_group (client_id, name, template_key) SELECT 0, g, g FROM jsonb_array_elements_text($1::jsonb -> 'groups') g ON CONFLICT DO NOTHING`,
    [library],
  )
  await tx.rows(
    `INSERT INTO hazard (client_id, name, description, group_id, industries, template_key)
     SELECT 0, h ->> 'name', h ->> 'description', g.id, ARRAY(SELECT jsonb_array_elements_text(h -> 'industries')), h ->> 'id'
     FROM jsonb_array_elements($1::jsonb -> 'hazards') h JOIN hazard_group g ON g.client_id = 0 AND g.template_key = h ->> 'group'
     ON CONFLICT DO NOTHING`,
    [library],
  )
  await tx.rows(
    `INSERT INTO hazard_control (client_id, hazard_id, name, description, tier, template_key)
     SELECT 0, t.id, c ->> 'name', c ->> 'description', c ->> 'tier', (h ->> 'id') || '/' || (c ->> 'name')
     FROM jsonb_array_elements($1::jsonb -> 'hazards') h CROSS JOIN jsonb_array_elements_text(h -> 'controls') WITH ORDINALITY n (name, place)
       JOIN jsonb_array_elements($1::jsonb -> 'controls') c ON c ->> 'name' = n.name JOIN hazard t ON t.client_id = 0 AND t.template_key = h ->> 'id'
     ORDER BY t.id, n.place ON CONFLICT DO NOTHING`,
    [library],
  )
}

async function statements(tx: Tx): Promise<void> {
  const library = readReference('method-statement-library.json') as { statements: Statement[]; tasks: Statement[] }
  for (const s of library.statements)
    await tx.rows(
      `INSERT INTO standard_statement (client_id, title, text, industry_id, is_default, template_key)
       VALUES (0, $1, $2, (SELECT id FROM industry WHERE name = $3), $4, $5) ON CONFLICT DO NOTHING`,
      [s.title, s.text, s.industry, s.default ?? false, String(s.id)],
    )
  for (const t of library.tasks)
    await tx.rows(
      `INSERT INTO task (client_id, title, text, industry_id, priority, template_key)
       VALUES (0, $1, $2, (SELECT id FROM industry WHERE name = $3), $4, $5) ON CONFLICT DO NOTHING`,
      [t.title, t.text, t.industry, t.priority ?? 3, String(t.id)],
    )
  await tx.rows(
    `INSERT INTO template_link_task (client_id, task_id) SELECT 0, id FROM task WHERE client_id = 0 AND template_key IS NOT NULL ON CONFLICT DO NOTHING`,
  )
}

/** What a COSHH assessment calls the equipment with this picture; what is not here protects from nothing hazardous to health. */
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

async function equipment(tx: Tx): Promise<void> {
  const { items } = readReference('ppe.json') as { items: Item[] }
  for (const i of items) {
    await tx.rows(
      'INSERT INTO available_ppe (label, image, category, standard, iso7010) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (label) DO NOTHING',
      [i.label, i.image, i.category, i.standard, i.iso7010],
    )
    await tx.rows(
      `INSERT INTO ppe (client_id, name, description, image, category, coshh_value, is_standard_coshh, template_key)
       VALUES (0, $1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
      [i.label, i.standard ?? '', i.image, i.category, COSHH[i.image] ?? '', i.image in COSHH, String(i.id)],
    )
  }
}
