import { flag, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'

const industry = {
  service: 'safety',
  table: 'industry',
  tenant: 'shared',
  unpaginated: true,
  title: 'name',
  order: ['name'],
  fields: { name: text({ filter: 'partial', order: true }), retired: flag({ filter: true }) },
  allow: { read: 'member' },
} as const

/** Industries used to rank hazards. */
export const riskIndustry = resource({ ...industry, type: 'RiskIndustry', path: 'risk_industries' })

/** The same industries, at the URL that statements and tasks refer to. */
export const packIndustry = resource({ ...industry, type: 'PackIndustry', path: 'pack_industries' })
