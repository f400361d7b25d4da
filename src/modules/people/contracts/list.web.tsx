import { Button } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { Link } from 'react-router'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { HR_ROLES } from '../rights.ts'
import { contract } from './contract.ts'
import { contractMailing } from './contract-mailing.ts'
import { CONTRACT_PATHS, contractPath } from './nav.ts'
import { ContractStatus } from './status-chip.web.tsx'

const value = z.string().default('')
const LIST = listUrlSchema({ state: value, employee: value, template: value, mailing: value, writtenStatement: value })

type Row = RecordOf<typeof contract>

/** Contracts that the reader may see: all for human resources, otherwise one's own and those that one countersigns. */
export default function Contracts() {
  const actor = useActor()
  const [state, set] = useUrlState(LIST)
  const isHr = hasRole(actor, HR_ROLES)
  const send = can(actor, 'create', contractMailing) && (
    <Button component={Link} to={CONTRACT_PATHS.send} leftSection={<IconSend size={16} aria-hidden />}>
      Send contract
    </Button>
  )
  return (
    <Page title="Contracts" actions={send} about={state.mailing && <Progress id={state.mailing} />}>
      <DataList
        resource={contract}
        label="Contracts"
        state={state}
        onState={set}
        search={false}
        filters={['state', ...(isHr ? (['employee', 'template', 'writtenStatement'] as const) : [])]}
        columns={[
          { key: 'number', title: 'Number', link: true },
          { key: 'title', wide: true },
          { key: 'employee', render: ({ employee: { name } }: Row) => name },
          { key: 'countersigner', wide: true, render: ({ countersigner: { name } }: Row) => name },
          { key: 'signUntil', render: ({ signUntil }: Row) => formatIsoAsUkDate(signUntil) },
          { key: 'state', tight: true, render: (one: Row) => <ContractStatus state={one.state} /> },
        ]}
        bulkWords={{ resend: { title: 'Send again', done: 'sent again' } }}
        href={(one: Row) => contractPath(one.id)}
        nothing={
          <EmptyState title="No contracts found" action={send}>
            {isHr
              ? 'Send a contract from a template, or change the filters.'
              : 'Contracts for you to sign or countersign are listed here.'}
          </EmptyState>
        }
      />
    </Page>
  )
}

/** Progress of the mailing whose contracts are listed. */
function Progress({ id }: { readonly id: string }) {
  const mailing = useApiRecord(contractMailing, id).data
  return mailing
    ? `“${mailing.template.name}”: ${mailing.signed} of ${mailing.contracts} signed, ${mailing.complete} countersigned.`
    : null
}
