import { Button } from '@mantine/core'
import { IconPlayerStop, IconSend } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { z } from 'zod'
import { canRunAction } from '#kernel/can.ts'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { invalidateLists } from '#web/api/resources.ts'
import { formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { contractMailing } from './contract-mailing.ts'
import { CONTRACT_PATHS } from './nav.ts'

const value = z.string().default('')
const LIST = listUrlSchema({ template: value, joiners: value })

type Row = RecordOf<typeof contractMailing>

/** Returns the recipients of a mailing in words, such as `Operations, Main yard, and joiners`. */
function describeAudience({ employee, department, site, joiners, retired }: Row): string {
  if (employee) return employee.name
  const group = [department?.name, site?.name].filter(Boolean).join(', ') || 'Whole company'
  return `${group}${joiners ? (retired ? ', no more joiners' : ', and joiners') : ''}`
}

/** Mailings with their progress. Each number opens its contracts. */
export default function ContractMailings() {
  const actor = useActor()
  const queryClient = useQueryClient()
  const [state, set] = useUrlState(LIST)
  const stop = useMutation({
    mutationFn: (id: number) => callApi('POST', `${iriOf(contractMailing, id)}/stop`, {}),
    onSuccess: () => {
      toast.info('Joiners get no more contracts', 'safe')
      void invalidateLists(queryClient, contractMailing)
    },
    onError: (error) => toast.failed(error),
  })
  const send = (
    <Button component={Link} to={CONTRACT_PATHS.send} leftSection={<IconSend size={16} aria-hidden />}>
      Send contract
    </Button>
  )
  return (
    <Page title="Progress" about="Contracts as they were sent, and how many are signed." actions={send}>
      <DataList
        resource={contractMailing}
        label="Progress of contracts"
        state={state}
        onState={set}
        search={false}
        filters={['template', 'joiners']}
        columns={[
          {
            key: 'template',
            link: true,
            render: ({ template, templateVersion }: Row) => `${template.name}, version ${templateVersion}`,
          },
          { key: 'employee', title: 'Sent to', render: describeAudience },
          { key: 'signed', title: 'Signed', render: ({ signed, contracts }: Row) => `${signed} of ${contracts}` },
          {
            key: 'complete',
            title: 'Countersigned',
            wide: true,
            render: ({ complete, contracts }: Row) => `${complete} of ${contracts}`,
          },
          { key: 'countersigner', wide: true, render: ({ countersigner: { name } }: Row) => name },
          { key: 'createdAt', wide: true, render: ({ createdAt }: Row) => formatIsoAsUkDateTime(createdAt) },
        ]}
        rowActions={(one: Row) =>
          one.joiners &&
          !one.retired &&
          canRunAction(actor, 'stop', contractMailing) && (
            <Button
              variant="default"
              leftSection={<IconPlayerStop size={16} aria-hidden />}
              loading={stop.isPending && stop.variables === one.id}
              onClick={() => stop.mutate(one.id)}
            >
              Stop for joiners
            </Button>
          )
        }
        href={({ id }: Row) => `${CONTRACT_PATHS.list}?mailing=${id}`}
        nothing={
          <EmptyState title="Nothing sent yet" action={send}>
            Send a contract to one employee or to a group.
          </EmptyState>
        }
      />
    </Page>
  )
}
