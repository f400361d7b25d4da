import { useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { PhoneLink } from '#web/ui/phone-link.tsx'
import { type Lead, leadName, prefetchLead } from '../contacts/data.web.ts'
import { DoNotCall, DueCell, ResultChip } from '../contacts/parts.web.tsx'
import css from './leads.module.css'

interface Props {
  readonly leads: readonly Lead[]
  readonly pathOf: (id: number) => string
  readonly open: (id: number) => void
}

/** The list on a phone: a lead is a card, its number one tap. */
export function ListCards({ leads, pathOf, open }: Props) {
  const queries = useQueryClient()
  return (
    <ul className={css.cards}>
      {leads.map((lead) => (
        <li key={lead.id} className={css.card}>
          <Link
            data-lead={lead.id}
            className={css.cardLink}
            to={pathOf(lead.id)}
            onPointerDown={() => prefetchLead(queries, lead.id)}
            onClick={(e) => {
              e.preventDefault()
              open(lead.id)
            }}
          >
            {leadName(lead)}
          </Link>
          <span className={css.cardRow}>
            <ResultChip lead={lead} />
            <DueCell lead={lead} />
          </span>
          <span className={css.cardRow}>
            <span>{lead.name}</span>
            {lead.doNotCall ? (
              <DoNotCall number={null} />
            ) : (
              <PhoneLink number={lead.phone || lead.mobile} who={leadName(lead)} />
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}
