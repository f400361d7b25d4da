import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { contractTemplate } from './contract-template.ts'
import { CONTRACT_PATHS, contractTemplatePath } from './nav.ts'

const LIST = listUrlSchema({
  name: z.string().default(''),
  retired: z.enum(['', 'true', 'false']).default('false'),
  writtenStatement: z.string().default(''),
})

type Row = RecordOf<typeof contractTemplate>

export default function ContractTemplates() {
  const actor = useActor()
  const [state, set] = useUrlState(LIST)
  const add = can(actor, 'create', contractTemplate) && (
    <Button component={Link} to={CONTRACT_PATHS.template} leftSection={<IconPlus size={16} aria-hidden />}>
      New template
    </Button>
  )
  return (
    <Page title="Contract templates" actions={add}>
      <DataList
        resource={contractTemplate}
        label="Contract templates"
        state={state}
        onState={set}
        search={false}
        filters={['retired', 'writtenStatement']}
        columns={[
          { key: 'name', link: true },
          'version',
          { key: 'writtenStatement', wide: true },
          { key: 'updatedAt', wide: true },
        ]}
        rowMuted={(one) => one.retired}
        href={(one: Row) => contractTemplatePath(one.id)}
        nothing={
          <EmptyState title="No templates yet" action={add}>
            Write the text of a contract once, with fields for what differs between employees.
          </EmptyState>
        }
      />
    </Page>
  )
}
