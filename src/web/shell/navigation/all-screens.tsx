import { useCloseOnBack } from '../../ui/overlays/back.ts'
import '@mantine/core/styles/Drawer.layer.css'
import { Drawer, Title } from '@mantine/core'
import { useAreas } from './areas.ts'
import classes from './rail.module.css'
import { ScreenLink } from './rail.tsx'

/** Sheet with all areas and screens, on phones. */
export default function AllScreensDrawer({ onClose }: { onClose: () => void }) {
  const { areas, tab: here } = useAreas()
  useCloseOnBack(true, onClose)
  return (
    <Drawer opened onClose={onClose} position="bottom" size="80%" title="All screens">
      {areas.map((a) => (
        <section key={a.area} aria-label={a.area}>
          <Title order={2} size="h4" mt="sm" px="sm">
            {a.area}
          </Title>
          <ul className={classes.list}>
            {a.screens.flatMap((s) =>
              (s.tabs.length ? s.tabs : [s]).map((tab) => (
                <li key={tab.path}>
                  <ScreenLink screen={{ ...s, ...tab }} here={here?.path} icons onGo={onClose} />
                </li>
              )),
            )}
          </ul>
        </section>
      ))}
    </Drawer>
  )
}
