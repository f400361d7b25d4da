import {
  IconAlertSmall,
  IconBomb,
  IconBottle,
  IconDroplets,
  IconFish,
  IconFlame,
  IconHeartBroken,
  IconPoint,
  IconSkull,
  IconSun,
} from '@tabler/icons-react'
import { pictogramName } from './labels.ts'
import css from './substances.module.css'

/** Drawings in the place of the official ones; the name stands beside each. */
const DRAWN: Readonly<Record<string, typeof IconFlame>> = {
  GHS01: IconBomb,
  GHS02: IconFlame,
  GHS03: IconSun,
  GHS04: IconBottle,
  GHS05: IconDroplets,
  GHS06: IconSkull,
  GHS07: IconAlertSmall,
  GHS08: IconHeartBroken,
  GHS09: IconFish,
}

/** The pictograms of a label, each with its name. */
export const Pictograms = ({ codes }: { readonly codes: readonly string[] }) =>
  codes.length > 0 && (
    <ul className={css.pictograms} aria-label="Pictograms">
      {codes.map((code) => {
        const Drawing = DRAWN[code] ?? IconPoint
        return (
          <li key={code}>
            <span className={css.diamond}>
              <Drawing size={17} stroke={2.2} aria-hidden />
            </span>
            {pictogramName(code)}
          </li>
        )
      })}
    </ul>
  )
