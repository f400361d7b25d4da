import { defineSavedEvidence } from '#kernel/evidence.ts'
import { createFileRoutes } from '#modules/portal/files/files.server.ts'
import { createUploadRoute } from '#modules/portal/files/upload.server.ts'
import type { ReferenceData } from '#server/engine/initial-data.ts'
import { feature } from '#server/engine/module.ts'
import { loadLatestRows } from '#server/seed/fill.ts'
import { readReferenceFile } from '#server/seed/reference.ts'
import { EQUIPMENT_READER_ROLES, EQUIPMENT_ROLES } from '../rights.ts'
import { equipmentCategory } from './category.ts'
import { checkBehaviour, formCheckRoute } from './check.server.ts'
import { equipmentCheck, equipmentHandover, FILES_URL, requiredCheck } from './check.ts'
import { handoverBehaviour } from './handover.server.ts'
import { itemBehaviour } from './item.server.ts'
import { equipmentEvent, equipmentFile, equipmentItem } from './item.ts'
import { labelRoutes } from './label.server.ts'
import { checkReminder, dueNotice, failedNotice } from './notify.server.ts'
import { requiredCheckBehaviour } from './required-check.server.ts'

interface IntervalRow {
  readonly kind: string
  readonly examples: string
  readonly check: string
  readonly intervalMonths: number | null
  readonly intervalDays: number | null
  readonly beforeFirstUse: boolean
  readonly basis: string
  readonly reference: string
  readonly records: string
  readonly note: string
}

/** Rules of `retention-periods.json` for reports, by the beginning of the law that requires the check. */
const RETENTION_RULES = { LOLER: 12, COSHH: 11 } as const

/** Reference data: categories of equipment, with the years for which their reports are stored. */
const equipmentReference: ReferenceData = {
  name: 'equipment categories',
  needs: [],
  edition: 1,
  load: async (c) => {
    const { intervals } = readReferenceFile('equipment-intervals.json') as {
      readonly intervals: readonly IntervalRow[]
    }
    const { periods } = readReferenceFile('retention-periods.json') as {
      readonly periods: readonly { readonly id: number; readonly keepYears: number | null }[]
    }
    const keepYearsOf = (reference: string) => {
      const rule = Object.entries(RETENTION_RULES).find(([law]) => reference.startsWith(law))?.[1]
      return periods.find(({ id }) => id === rule)?.keepYears ?? null
    }
    const rows = intervals.map((one) => ({
      name: one.kind,
      examples: one.examples,
      checkName: `${one.check.charAt(0).toUpperCase()}${one.check.slice(1)}`,
      intervalMonths: one.intervalMonths,
      intervalDays: one.intervalDays,
      beforeFirstUse: one.beforeFirstUse,
      basis: one.basis,
      reference: one.reference,
      records: one.records,
      keepYears: keepYearsOf(one.reference),
      notes: one.note,
    }))
    await loadLatestRows(c, equipmentCategory, 'name', rows)
  },
}

/** Every check, hand-over and file is sealed when it is created. */
const equipmentEvidence = [
  defineSavedEvidence({
    of: equipmentCheck,
    named: ({ id }) => `equipment check ${Number(id)}`,
    columns: {
      item_id: 'item',
      required_check_id: 'required check',
      checked_on: 'day',
      immediate_danger: 'immediate danger',
      answer_id: 'completed form',
      report_id: 'report',
      replaces_id: 'corrected check',
      author: 'person who recorded it',
      created_at: 'time',
    },
  }),
  defineSavedEvidence({
    of: equipmentHandover,
    named: ({ id }) => `hand-over of equipment ${Number(id)}`,
    columns: {
      item_id: 'item',
      holder_id: 'person',
      site_id: 'site',
      signed_name: 'name of the signatory',
      author: 'person who handed it over',
      created_at: 'time',
    },
  }),
  {
    ...defineSavedEvidence({ of: equipmentFile, named: ({ name }) => `the file “${String(name)}” of an item` }),
    file: { key: 'file_key', checksum: 'checksum' },
  },
]

export const equipment = feature({
  resources: [
    equipmentCategory,
    equipmentItem,
    equipmentEvent,
    equipmentFile,
    requiredCheck,
    equipmentCheck,
    equipmentHandover,
  ],
  behaviours: [itemBehaviour, requiredCheckBehaviour, checkBehaviour, handoverBehaviour],
  routes: [
    createUploadRoute({
      path: FILES_URL,
      title: 'Upload a file of an item: multipart/form-data with `file`',
      allow: EQUIPMENT_ROLES,
      into: equipmentFile,
      place: async ({ engine, me, params }) => ({
        item: await engine.idOf(equipmentItem, me, params.id),
        createdAt: engine.clock.now().toString(),
      }),
    }),
    ...createFileRoutes(equipmentFile, EQUIPMENT_READER_ROLES),
    formCheckRoute,
    ...labelRoutes,
  ],
  schedules: [checkReminder],
  notifications: [failedNotice, dueNotice],
  pack: 'safety',
  evidence: equipmentEvidence,
  referenceData: [equipmentReference],
})
