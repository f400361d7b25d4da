import type { Tx } from '#server/db/db.ts'

interface Own {
  readonly client: number
  readonly author: string
  /** Of the templates. */
  readonly group: string
  readonly name: string
  readonly description: string
  readonly industry: string
  readonly controls: readonly (readonly [name: string, description: string, tier: string])[]
}

const HAZARDS: readonly Own[] = [
  {
    client: 1,
    author: 'admin.brick',
    group: 'Lifting operations',
    name: 'Loads slewed over Weir Lane',
    description: 'A load may fall on people or vehicles on the public road beside the site.',
    industry: 'Construction',
    controls: [
      [
        'Crane zoned away from the road',
        'The limiter stops the jib at the hoarding line. Checked each morning.',
        'engineering',
      ],
      ['Road closed for long loads', 'Closure agreed with the council; marshals at both ends.', 'administrative'],
    ],
  },
  {
    client: 1,
    author: 'admin.brick',
    group: 'Dust and fibres',
    name: 'Cutting reclaimed stone',
    description: 'Old sandstone gives off silica dust when it is cut or dressed.',
    industry: 'Construction',
    controls: [
      ['Stone cut to size at the quarry', 'Ordered to the drawing, so that little is cut on site.', 'eliminate'],
      ['Saw with water fed to the blade', 'No dry cutting. Slurry is cleared before it dries.', 'engineering'],
      ['FFP3 mask, face-fit tested', 'Worn by everybody at the saw bench.', 'ppe'],
    ],
  },
  {
    client: 2,
    author: 'admin.care',
    group: 'Care and health',
    name: 'Garden gate onto the canal path',
    description: 'A resident may leave the garden unseen and come to harm by the water.',
    industry: 'Social care',
    controls: [
      ['Gate closed by a keypad', 'The alarm sounds at the nurses’ station when it stands open.', 'engineering'],
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

/** What two client companies have added to their libraries. */
export async function libraryDemo(tx: Tx): Promise<void> {
  for (const h of HAZARDS) {
    const [made] = await tx.rows<{ id: number }>(
      `INSERT INTO hazard (client_id, name, description, group_id, industries, author)
       SELECT $1, $2, $3, id, ARRAY[$4], $5 FROM hazard_group WHERE client_id = 0 AND template_key = $6 RETURNING id`,
      [h.client, h.name, h.description, h.industry, h.author, h.group],
    )
    for (const [name, description, tier] of h.controls)
      await tx.rows(
        'INSERT INTO hazard_control (client_id, hazard_id, name, description, tier, author) VALUES ($1, $2, $3, $4, $5, $6)',
        [h.client, made?.id, name, description, tier, h.author],
      )
  }
  for (const [client, title, text] of STATEMENTS)
    await tx.rows('INSERT INTO standard_statement (client_id, title, text) VALUES ($1, $2, $3)', [
      client,
      title,
      `<p>${text}</p>`,
    ])
  for (const [client, title, text, priority] of TASKS)
    await tx.rows('INSERT INTO task (client_id, title, text, priority) VALUES ($1, $2, $3, $4)', [
      client,
      title,
      `<p>${text}</p>`,
      priority,
    ])
  await tx.rows(
    `INSERT INTO ppe (client_id, name, description, image, category) VALUES (1, 'White helmet (visitors)', 'Kept in the site office', 'M014', 'Headwear')`,
  )
}
