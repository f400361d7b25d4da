import { RelativeTimeText } from '#web/dates/relative.tsx'
import type { ColumnSpec } from '#web/lists/columns/columns.tsx'
import { PersonLabel } from '#web/ui/people/avatar.tsx'
import { type LeadRecord, leadName } from '../contacts/data.web.ts'
import { LeadDueCell, LeadResultChip, LeadTelephone } from '../contacts/parts.web.tsx'

/** Columns of the lead list: due date, company, contact, telephone number and last outcome. */
const COLUMNS: readonly ColumnSpec<LeadRecord>[] = [
  { key: 'callbackDate', title: 'Due', tight: true, render: (lead) => <LeadDueCell lead={lead} /> },
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
    render: (lead) => <LeadResultChip lead={lead} />,
  },
  {
    key: 'owner',
    title: 'Owner',
    order: 'owner.name',
    wide: true,
    inCard: false,
    render: (lead) => (lead.owner ? <PersonLabel name={lead.owner.name} /> : 'Unowned'),
  },
]

/** The columns with the age of each lead's last note. */
export const leadColumns = (lastNotes: ReadonlyMap<number, number>): readonly ColumnSpec<LeadRecord>[] => [
  ...COLUMNS,
  {
    key: 'lastNote',
    title: 'Last note',
    fields: ['createdAt'],
    inFile: 'Created',
    wide: true,
    inCard: false,
    render: (lead) => <RelativeTimeText at={lastNotes.get(lead.id) ?? null} empty="No note" />,
  },
]
