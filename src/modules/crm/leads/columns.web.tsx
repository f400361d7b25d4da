import { Relative } from '#web/dates/relative.tsx'
import type { ColumnSpec } from '#web/lists/columns/columns.tsx'
import { Person } from '#web/ui/people/avatar.tsx'
import { type Lead, leadName } from '../contacts/data.web.ts'
import { DueCell, LeadTelephone, ResultChip } from '../contacts/parts.web.tsx'

/** Columns of the lead list: due date, company, contact, telephone number and last outcome. */
const COLUMNS: readonly ColumnSpec<Lead>[] = [
  { key: 'callbackDate', title: 'Due', tight: true, render: (lead) => <DueCell lead={lead} /> },
  { key: 'companyName', title: 'Company', link: true, render: leadName },
  { key: 'name', title: 'Contact', render: (lead) => lead.name || '—' },
  {
    key: 'phone',
    title: 'Telephone',
    fields: ['phone;mobile'],
    tight: true,
    render: (lead) => <LeadTelephone lead={lead} />,
  },
  {
    key: 'lastResult',
    title: 'Last result',
    tight: true,
    render: (lead) => <ResultChip lead={lead} />,
  },
  {
    key: 'owner',
    title: 'Owner',
    order: 'owner.name',
    wide: true,
    inCard: false,
    render: (lead) => (lead.owner ? <Person name={lead.owner.name} /> : 'Unowned'),
  },
]

/** The columns with the age of each lead's last note. */
export const columnsWith = (lastNotes: ReadonlyMap<number, number>): readonly ColumnSpec<Lead>[] => [
  ...COLUMNS,
  {
    key: 'lastNote',
    title: 'Last note',
    fields: ['createdAt'],
    inFile: 'Created',
    wide: true,
    inCard: false,
    render: (lead) => <Relative at={lastNotes.get(lead.id) ?? null} empty="No note" />,
  },
]
