import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema, retiredFilterSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { isSystemTemplate } from '../statements/selection.ts'
import { CustomFormStatusChip } from './chips.web.tsx'
import { customForm } from './custom-form.ts'
import { customFormPath, FORM_BUILDER_PATH } from './paths.ts'

const LIST = listUrlSchema({ retired: retiredFilterSchema, whose: z.enum(['', 'own', 'system']).default('') })

/** A company's forms, and the ready-made forms that the company can copy. */
export default function CustomFormsPage() {
  const actor = useActor()
  const [state, set] = useUrlState(LIST)
  const { whose, ...asked } = state
  const may = can(actor, 'create', customForm)
  const begin = may && (
    <Button component={Link} to={FORM_BUILDER_PATH} leftSection={<IconPlus size={16} aria-hidden />}>
      New form
    </Button>
  )
  return (
    <Page title="Custom forms" actions={begin}>
      <DataList
        resource={customForm}
        label="Custom forms"
        state={state}
        onState={set}
        asked={{ ...asked, ...(whose ? { client: whose === 'own' ? actor.clientId : PROVIDER_CLIENT_ID } : {}) }}
        search="Search by name"
        filters={
          may
            ? [
                {
                  key: 'whose',
                  label: 'Source',
                  options: [
                    { value: 'own', label: 'Our own' },
                    { value: 'system', label: 'Ready-made' },
                  ],
                },
                'retired',
              ]
            : []
        }
        columns={[
          { key: 'title', title: 'Form' },
          {
            key: 'live',
            title: 'Status',
            tight: true,
            fields: ['live', 'version', 'unpublished'],
            render: (form) => <CustomFormStatusChip form={form} />,
          },
          {
            key: 'client',
            title: 'Source',
            tight: true,
            render: (form) => (isSystemTemplate(form) ? <StatusChip meaning="info">Ready-made</StatusChip> : 'Own'),
          },
          { key: 'updatedAt', title: 'Updated', wide: true },
          ...(state.retired === 'false' ? [] : [{ key: 'retired', title: 'Deleted' }]),
        ]}
        href={(form) => customFormPath(form.id)}
        rowMuted={(form) => form.retired}
        empty={
          <EmptyState title="No forms yet" action={begin}>
            {may
              ? 'Create your own checks, handovers and inductions, such as a weekly scaffold check or a forklift pre-use check, and have people complete them on a phone.'
              : 'Your company’s forms that you can complete are listed here.'}
          </EmptyState>
        }
      />
    </Page>
  )
}
