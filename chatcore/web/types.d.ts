/** Types that many modules name. Those of answers and events are in api_types.d.ts, which a script makes. */

type Chat = import("./model/chat.js").Chat;
type MessageList = import("./model/messages.js").MessageList;
type PageActions = import("./view/page_actions.js").PageActions;
type Narrow = import("./model/narrow.js").Narrow;
type TextName = keyof typeof import("./text/texts.js").default;

/** What components get. Templates do not check it, but what the components do with it is checked. */
type Props = {
  chat: Chat;
  act: PageActions;
  list: MessageList;
  message: Message;
  narrow: Narrow;
  place: Place;
  close: () => void;
  [name: string]: any;
};
/** Those of a page; `parts` are the parts of the address after its name. */
type PageProps = { chat: Chat; parts: string[]; act: PageActions; logOut: () => Promise<void> };

/** A part of a narrow, which a message has to fulfil. */
type Term = { operator: string; operand: string | number | number[]; negated?: boolean };

/**
 * How requests are repeated: `isFinal` says after which errors not; `failed` gets the others, with their
 * number; `signal` and `longest` (in ms) end a pause.
 */
type Retry = {
  isFinal?: (error: any) => boolean;
  failed?: (error: any, count: number) => void;
  signal?: AbortSignal;
  longest?: number;
};

/** Where a message goes: a channel and a topic, or people. */
type Place = { channelId?: number; topic?: string; people?: number[] };

/** The value of a permission: a group, or people and groups. */
type Holders = number | { direct_members: number[]; direct_subgroups: number[] };

/** What an endpoint answers; anything for those whose answers have no types. */
type Answer<Method extends string, Path extends string> = Method extends keyof Api.Answers
  ? Path extends keyof Api.Answers[Method]
    ? Api.Answers[Method][Path]
    : any
  : any;

/** The answer of `POST register`. No schema describes its parts; these are like things of other answers. */
type State = {
  user_id: number;
  queue_id: string;
  max_message_id: number;
  realm_users: Api.UserObject[];
  realm_non_active_users: Api.UserObject[];
  cross_realm_bots: Api.UserObject[];
  realm_user_groups: Group[];
  subscriptions: Channel[];
  realm_available_video_chat_providers: Record<string, { id: number; name: string }>;
  unsubscribed: Channel[];
  never_subscribed: Channel[];
  channel_folders: Api.FolderObject[];
  realm_default_streams: number[];
  realm_emoji: Record<string, Api.EmojiObject>;
  realm_linkifiers: Api.LinkifierObject[];
  custom_profile_fields: Api.ProfileFieldObject[];
  drafts: Draft[];
  scheduled_messages: Api.ScheduledMessageObject[];
  reminders: Api.ReminderObject[];
  muted_users: Api.MutedUserObject[];
  alert_words: string[];
  [part: string]: any;
};

/** One that is on its way has what is sent in `outgoing`. */
type Message = Omit<Api.MessageShape, "flags"> & { flags: Set<string>; outgoing?: Outgoing };
type Outgoing = import("./model/sending.js").Outgoing;
type Person = Api.UserObject & { is_active: boolean; is_system_bot?: boolean };
type Channel = Api.ChannelObject & Partial<Api.PersonalObject>;
type Group = Api.GroupObject;
type Draft = Api.DraftObject;
