/** The species in the strike reports, within their groups. */

import { idOf } from './rows.ts'
import type { Ids } from './rows.ts'

type Kind = 'bird' | 'mammal' | 'unknown'

/** A group, or a species in the reports; each parent comes before its children. */
const species: [name: string, scientific: string | null, kind: Kind, parent: string | null][] = [
  ['Unknown', null, 'unknown', null],
  ['Blackbirds', 'Icteridae', 'bird', null],
  ['Doves and pigeons', 'Columbidae', 'bird', null],
  ['Gulls', 'Laridae', 'bird', null],
  ['Hawks, falcons and vultures', null, 'bird', null],
  ['Mammals', 'Mammalia', 'mammal', null],
  ['Owls', 'Strigiformes', 'bird', null],
  ['Shorebirds', 'Charadriidae', 'bird', null],
  ['Songbirds', 'Passeri', 'bird', null],
  ['Swallows', 'Hirundinidae', 'bird', null],
  ['Swifts and nightjars', null, 'bird', null],
  ['Wading birds', 'Ardeidae', 'bird', null],
  ['Waterfowl', 'Anatidae', 'bird', null],
  ['Unknown bird, small', null, 'unknown', 'Unknown'],
  ['Unknown bird, medium', null, 'unknown', 'Unknown'],
  ['Unknown bird, large', null, 'unknown', 'Unknown'],
  ['Unknown bird or bat', null, 'unknown', 'Unknown'],
  ['Meadowlarks', 'Sturnella', 'bird', 'Blackbirds'],
  ['Eastern meadowlark', 'Sturnella magna', 'bird', 'Meadowlarks'],
  ['Western meadowlark', 'Sturnella neglecta', 'bird', 'Meadowlarks'],
  ['Mourning dove', 'Zenaida macroura', 'bird', 'Doves and pigeons'],
  ['Rock pigeon', 'Columba livia', 'bird', 'Doves and pigeons'],
  ['Zebra dove', 'Geopelia striata', 'bird', 'Doves and pigeons'],
  ['Herring gull', 'Larus argentatus', 'bird', 'Gulls'],
  ['Laughing gull', 'Leucophaeus atricilla', 'bird', 'Gulls'],
  ['Ring-billed gull', 'Larus delawarensis', 'bird', 'Gulls'],
  ['American kestrel', 'Falco sparverius', 'bird', 'Hawks, falcons and vultures'],
  ['Red-tailed hawk', 'Buteo jamaicensis', 'bird', 'Hawks, falcons and vultures'],
  ['Turkey vulture', 'Cathartes aura', 'bird', 'Hawks, falcons and vultures'],
  ['Coyote', 'Canis latrans', 'mammal', 'Mammals'],
  ['White-tailed deer', 'Odocoileus virginianus', 'mammal', 'Mammals'],
  ['Barn owl', 'Tyto alba', 'bird', 'Owls'],
  ['Short-eared owl', 'Asio flammeus', 'bird', 'Owls'],
  ['Killdeer', 'Charadrius vociferus', 'bird', 'Shorebirds'],
  ['Pacific golden-plover', 'Pluvialis fulva', 'bird', 'Shorebirds'],
  ['American crow', 'Corvus brachyrhynchos', 'bird', 'Songbirds'],
  ['American robin', 'Turdus migratorius', 'bird', 'Songbirds'],
  ['European starling', 'Sturnus vulgaris', 'bird', 'Songbirds'],
  ['Horned lark', 'Eremophila alpestris', 'bird', 'Songbirds'],
  ['Savannah sparrow', 'Passerculus sandwichensis', 'bird', 'Songbirds'],
  ['Barn swallow', 'Hirundo rustica', 'bird', 'Swallows'],
  ['Cliff swallow', 'Petrochelidon pyrrhonota', 'bird', 'Swallows'],
  ['Tree swallow', 'Tachycineta bicolor', 'bird', 'Swallows'],
  ['Chimney swift', 'Chaetura pelagica', 'bird', 'Swifts and nightjars'],
  ['Common nighthawk', 'Chordeiles minor', 'bird', 'Swifts and nightjars'],
  ['Cattle egret', 'Bubulcus ibis', 'bird', 'Wading birds'],
  ['Great blue heron', 'Ardea herodias', 'bird', 'Wading birds'],
  ['Canada goose', 'Branta canadensis', 'bird', 'Waterfowl'],
  ['Mallard', 'Anas platyrhynchos', 'bird', 'Waterfowl'],
]

/** Species ids by name. */
export const speciesIds: Ids = new Map(species.map(([name], index) => [name, index + 1] as const))

export const speciesRows = species.map(([name, scientific_name, kind, parent], index) => ({
  id: index + 1,
  name,
  scientific_name,
  kind,
  parent_id: parent === null ? null : idOf(speciesIds, parent),
}))

/** The name shown for a reported one: “Unknown bird - small” reads better with a comma. */
export function speciesName(reported: string): string {
  return reported.replace(' - ', ', ')
}
