import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { standardStatement, task } from '../statements/statement.ts'
import type { ControlHierarchyTier } from './hazard.ts'
import { hazard, hazardControl, hazardGroup } from './hazard.ts'
import { ppe } from './ppe.ts'

interface Own {
  readonly client: number
  /** Name of the template group to which the hazard belongs. */
  readonly group: string
  readonly name: string
  readonly description: string
  readonly industry: string
  readonly controls: readonly (readonly [name: string, description: string, tier: ControlHierarchyTier])[]
}

const HAZARDS: readonly Own[] = [
  {
    client: 1,
    group: 'Lifting operations',
    name: 'Loads slewed over Weir Lane',
    description: 'A load may fall on people or vehicles on the public road beside the site.',
    industry: 'Construction',
    controls: [
      [
        'Crane zoned away from the road',
        'The limiter stops the jib at the hoarding line. Checked every morning.',
        'engineering',
      ],
      ['Road closed for long loads', 'Closure agreed with the council; marshals at both ends.', 'administrative'],
    ],
  },
  {
    client: 1,
    group: 'Dust and fibres',
    name: 'Cutting reclaimed stone',
    description: 'Old sandstone gives off silica dust when it is cut or dressed.',
    industry: 'Construction',
    controls: [
      ['Stone cut to size at the quarry', 'Ordered to the drawing, so that little needs cutting on site.', 'eliminate'],
      ['Saw with water fed to the blade', 'No dry cutting. Slurry is cleared before it dries.', 'engineering'],
      ['FFP3 mask, face-fit tested', 'Worn by everybody at the saw bench.', 'ppe'],
    ],
  },
  {
    client: 2,
    group: 'Care and health',
    name: 'Garden gate onto the canal path',
    description: 'A resident may leave the garden unseen and come to harm by the water.',
    industry: 'Social care',
    controls: [
      ['Gate closed by a keypad', 'The alarm sounds at the nurses’ station when it is left open.', 'engineering'],
      ['Someone in the garden with residents', 'Named on each shift’s board.', 'administrative'],
    ],
  },
]

const STATEMENTS: readonly (readonly [client: number, title: string, text: string])[] = [
  [
    1,
    'Deliveries from Weir Lane',
    'Lorries wait in the lay-by and are called in by radio. Nothing is unloaded in the road.',
  ],
  [
    1,
    'Neighbours',
    'The school next door has our programme. No deliveries from 08:30 to 09:15 or from 15:00 to 15:45.',
  ],
  [
    2,
    'Working around residents',
    'Tools are never left unattended. Rooms are agreed with the nurse in charge before work begins.',
  ],
]

const TASKS: readonly (readonly [client: number, title: string, text: string, priority: number])[] = [
  [
    1,
    'Dress and bed reclaimed stone',
    'Sort by thickness, dress at the wet saw, bed on lime mortar and protect from frost.',
    3,
  ],
  [
    1,
    'Strike formwork',
    'Wait for the engineer’s strength result, strike from the middle outwards and stack as you go.',
    2,
  ],
]

/** Creates demo library items for two client companies. */
async function createLibraryDemo(engine: Engine): Promise<void> {
  for (const clientId of [1, 2]) {
    const username = clientId === 1 ? 'admin.brick' : 'admin.care'
    await seedAsUser(engine, { clientId, username, at: engine.clock.now() }, async (c) => {
      for (const h of HAZARDS.filter((one) => one.client === clientId)) await addHazard(c, h)
      for (const [client, title, text] of STATEMENTS)
        if (client === clientId) await c.create(standardStatement, { title, text: `<p>${text}</p>` })
      for (const [client, title, text, priority] of TASKS)
        if (client === clientId) await c.create(task, { title, text: `<p>${text}</p>`, priority })
      if (clientId === 1)
        await c.create(ppe, { name: 'White helmet (visitors)', description: 'Kept in the site office', image: 'M014' })
    })
  }
}

async function addHazard(c: Context, h: Own): Promise<void> {
  const [group] = await c.find(hazardGroup, { name: h.group })
  if (!group) throw new Error(`The library has no group "${h.group}"`)
  const { name, description } = h
  const library = c.withoutPermissionCheck('create demo hazards for users who may no longer add hazards')
  const added = await library.create(hazard, { name, description, group: group.id, industries: [h.industry] })
  const { id } = await added.saved()
  for (const [name, description, tier] of h.controls)
    await library.create(hazardControl, { hazard: id, name, description, tier })
}

export const seeds: readonly DemoDataPart[] = [{ name: 'library', needs: ['people'], tell: createLibraryDemo }]
