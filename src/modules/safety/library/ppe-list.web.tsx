import '@mantine/core/styles/Image.layer.css'
import { Button, Image } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import { useActor } from '#web/api/me.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema, retiredFilterSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { LoadingRows } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { LazyLibraryItemUseCount, LazyLibraryItemUses } from '../impact/item-uses.web.tsx'
import { loadRetireConfirmationText } from '../impact/retire-question.web.ts'
import { isSystemTemplate, libraryOwnerOf } from '../statements/selection.ts'
import { ppe } from './ppe.ts'
import { PpeDialog, PpeImageInput } from './ppe-dialog.web.tsx'

const LIST = listUrlSchema({ retired: retiredFilterSchema, category: z.string().max(40).default('') })

/** List of the protective equipment that documents can require, both the company's own and templates. */
export function PpeList() {
  const actor = useActor()
  const [state, set] = useUrlState(LIST)
  const [creating, setCreating] = useState(false)
  const [id, setId] = useState<number>()
  return (
    <>
      <DataList
        resource={ppe}
        label="PPE"
        state={state}
        onState={set}
        search="Search by label"
        filters={['retired']}
        bulkWords={{ retire: { asks: loadRetireConfirmationText } }}
        actions={
          can(actor, 'create', ppe) && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
              Create PPE
            </Button>
          )
        }
        columns={[
          {
            key: 'image',
            title: 'Safety sign',
            render: (p) => <Image src={p.imagePath} alt="" w={36} h={36} />,
            width: 70,
          },
          'name',
          'category',
          { key: 'description', title: 'Standard', wide: true },
          {
            key: 'client',
            title: 'Source',
            render: (p) => (isSystemTemplate(p) ? <StatusChip meaning="info">Template</StatusChip> : 'Own'),
          },
          ...(state.retired === 'false' ? [] : [{ key: 'retired', title: 'Status' }]),
        ]}
        rowMuted={(p) => p.retired}
        rowActions={(p) =>
          can(actor, 'update', ppe, { clientId: libraryOwnerOf(p) }) && (
            <Button size="compact-sm" variant="subtle" aria-label={`Edit ${p.name}`} onClick={() => setId(p.id)}>
              Edit
            </Button>
          )
        }
      />
      <PpeDialog opened={creating} onClose={() => setCreating(false)} onSaved={() => setCreating(false)} />
      <EditPpe id={id} onClose={() => setId(undefined)} />
    </>
  )
}

function EditPpe({ id, onClose }: { readonly id: number | undefined; readonly onClose: () => void }) {
  const [shown, setShown] = useState(id)
  if (id !== undefined && id !== shown) setShown(id)
  const one = useApiRecord(ppe, shown)
  return (
    <Dialog opened={id !== undefined} onClose={onClose} title="Edit PPE">
      {one.data ? (
        <>
          <ResourceForm
            resource={ppe}
            record={one.data}
            fields={['name', 'description', 'image', 'isStandardCoshh', 'retired']}
            wide={['image']}
            inputs={{ image: (props) => <PpeImageInput {...props} category={one.data.category} /> }}
            onCancel={onClose}
            onSaved={onClose}
            beside={<LazyLibraryItemUseCount of={one.data} />}
          />
          <LazyLibraryItemUses of={one.data} called={`The PPE “${one.data.name}”`} />
        </>
      ) : (
        <LoadingRows rows={4} />
      )}
    </Dialog>
  )
}
