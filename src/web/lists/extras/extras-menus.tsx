import '@mantine/core/styles/Menu.layer.css'
import { Menu } from '@mantine/core'
import { useState } from 'react'
import type { QueryParams } from '../../api/client.ts'
import { useOpenedMenu } from '../../ui/overlays/use-opened-menu.ts'
import { toast } from '../../ui/toast.ts'
import type { ExportFormat } from './export.ts'
import { ExportButton, ViewsButton } from './extras-buttons.tsx'
import type { ListViewAndExportMenuProps } from './list-extras.tsx'
import { ViewMenuItems, type ViewMenuItemsProps } from './views-menu.tsx'

export function ViewsMenu(props: ViewMenuItemsProps) {
  const { menu, button } = useOpenedMenu()
  return (
    <Menu {...menu} width={280} withinPortal={false}>
      <Menu.Target>
        <ViewsButton ref={button} views={props.views} />
      </Menu.Target>
      <Menu.Dropdown aria-label="Views">
        <ViewMenuItems {...props} />
      </Menu.Dropdown>
    </Menu>
  )
}

const LONG = 'This is a long list. The file will download when it is ready.'
const FILES = [
  ['csv', 'As CSV'],
  ['xlsx', 'As an Excel workbook'],
] as const

type Exported = Pick<ListViewAndExportMenuProps, 'resource' | 'label' | 'columns'> & { readonly asked: QueryParams }

/**
 * Downloads the rows that match the list's query as a file. An error is shown in a toast with a button to try again.
 */
export async function saveListAsFile(
  { resource, label, columns, asked }: Exported,
  format: ExportFormat,
): Promise<void> {
  try {
    const { exportList: saveList } = await import('./export.ts')
    await saveList(resource, label, columns, asked, format, () => toast.info(LONG))
  } catch (e) {
    toast.failed(e, () => void saveListAsFile({ resource, label, columns, asked }, format))
  }
}

export function ExportMenu(props: Exported) {
  const [busy, setBusy] = useState(false)
  const { menu, button } = useOpenedMenu()
  const save = async (format: ExportFormat) => {
    setBusy(true)
    await saveListAsFile(props, format)
    setBusy(false)
  }
  return (
    <Menu {...menu} withinPortal>
      <Menu.Target>
        <ExportButton ref={button} label={props.label} loading={busy} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>All matching rows, with the columns of this list</Menu.Label>
        {FILES.map(([format, words]) => (
          <Menu.Item key={format} onClick={() => void save(format)}>
            {words}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
