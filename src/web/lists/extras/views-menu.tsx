import '@mantine/core/styles/Menu.layer.css'
import { Menu } from '@mantine/core'
import {
  IconBookmarkPlus,
  IconCheck,
  IconDeviceFloppy,
  IconHome,
  IconPencil,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { savedView } from '#kernel/lists/views.ts'
import { callApi } from '../../api/client.ts'
import { useMe } from '../../api/me.ts'
import { useSaveRecord } from '../../api/resources.ts'
import { showUndoToast, toast } from '../../ui/toast.ts'
import type { ListViews, SavedView } from '../views/use-views.ts'
import { useSaveListSetting } from './use-keep-setting.ts'

export interface ViewMenuItemsProps {
  readonly views: ListViews
  /** Opens the dialog in which the view is named. */
  readonly onName: (mode: 'new' | 'change') => void
}

/** Menu items to choose a view of the list, and to save, rename, share or delete the current view. */
export function ViewMenuItems({ views, onName }: ViewMenuItemsProps) {
  const me = useMe()
  const save = useSaveRecord(savedView)
  const keep = useSaveListSetting(views)
  const remove = useDelete(views)
  const { all, current, changed, now, setting } = views
  const mine = all.filter((v) => v.owner === me.id)
  const others = all.filter((v) => v.owner !== me.id)
  const own = current?.owner === me.id
  const begins = current !== undefined && setting?.view === current['@id']
  const tell = (done: Promise<unknown>, words: string) => void done.then(() => toast.info(words, 'safe'), toast.failed)
  const choice = (v: SavedView) => (
    <Menu.Item
      key={v.id}
      leftSection={<IconCheck size={16} aria-hidden opacity={v === current ? 1 : 0} />}
      rightSection={
        <>
          {v.owner === me.id && v.sharing === 'everybody' && <IconUsers size={14} aria-label="shared" />}
          {setting?.view === v['@id'] && <IconHome size={14} aria-label="default view" />}
        </>
      }
      aria-current={v === current || undefined}
      onClick={() => views.show(v)}
    >
      {v.name}
      {v.owner === me.id ? '' : ` (${v.ownerName})`}
    </Menu.Item>
  )
  return (
    <>
      <Menu.Item
        leftSection={<IconCheck size={16} aria-hidden opacity={current ? 0 : 1} />}
        onClick={() => views.show(undefined)}
      >
        Standard list
      </Menu.Item>
      {mine.length > 0 && <Menu.Label>My views</Menu.Label>}
      {mine.map(choice)}
      {others.length > 0 && <Menu.Label>Shared by colleagues</Menu.Label>}
      {others.map(choice)}
      <Menu.Divider />
      {current && own && changed && (
        <Menu.Item
          leftSection={<IconDeviceFloppy size={16} aria-hidden />}
          onClick={() => tell(save.mutateAsync({ id: current.id, values: { query: now } }), `“${current.name}” saved`)}
        >
          Save the changes to “{current.name}”
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconBookmarkPlus size={16} aria-hidden />} onClick={() => onName('new')}>
        Save the current list as a view
      </Menu.Item>
      {current && (
        <Menu.Item
          leftSection={<IconHome size={16} aria-hidden />}
          onClick={() =>
            tell(
              keep({ view: begins ? null : current['@id'] }),
              begins
                ? 'The list will open without a view from now on'
                : `The list will open with “${current.name}” from now on`,
            )
          }
        >
          {begins ? 'Stop using as my default view' : 'Use as my default view'}
        </Menu.Item>
      )}
      {current && own && (
        <>
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => onName('change')}>
            Rename or share “{current.name}”
          </Menu.Item>
          <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={() => void remove(current)}>
            Delete “{current.name}”
          </Menu.Item>
        </>
      )}
    </>
  )
}

/** Returns a function that deletes a view. The person can undo this for ten seconds. */
function useDelete(views: ListViews) {
  const queries = useQueryClient()
  const save = useSaveRecord(savedView)
  return async (view: SavedView) => {
    try {
      await callApi('DELETE', view['@id'])
    } catch (e) {
      return toast.failed(e)
    }
    views.show(undefined)
    await queries.invalidateQueries({ queryKey: [savedView.url] })
    const { list, name, query, sharing } = view
    showUndoToast({
      message: `View “${name}” deleted`,
      undo: () => save.mutateAsync({ values: { list, name, query, sharing } }),
    })
  }
}
